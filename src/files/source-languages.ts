/** A language whose definitions a grammar finds; the names are those of the grammar's node types. */
export interface SourceLanguage {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Names of files that have no extension, upper case. */
  readonly names?: readonly string[];
  readonly grammar: string;
  /** What is a block with a heading of its own. */
  readonly definitions: readonly string[];
  /** Definitions whose members are blocks too. */
  readonly containers?: readonly string[];
  /** Containers that say little about what is in them: the heading of a class leaves them out. */
  readonly namespaces?: readonly string[];
  /** What may stand around a definition and belongs to it. */
  readonly wrappers?: readonly string[];
  /** What is looked through, as if its parts stood where it stands. */
  readonly transparent?: readonly string[];
}

const ofJavaScript = {
  definitions: [
    ...['function_declaration', 'generator_function_declaration', 'function_expression', 'generator_function'],
    ...['arrow_function', 'method_definition'],
  ],
  containers: ['class_declaration', 'class'],
  wrappers: [
    ...['export_statement', 'lexical_declaration', 'variable_declaration', 'variable_declarator'],
    ...['expression_statement', 'assignment_expression', 'field_definition'],
  ],
};
const ofTypeScript = {
  definitions: [
    ...ofJavaScript.definitions,
    ...['function_signature', 'abstract_method_signature', 'interface_declaration', 'type_alias_declaration'],
    'enum_declaration',
  ],
  containers: [...ofJavaScript.containers, 'abstract_class_declaration'],
  namespaces: ['internal_module', 'module'],
  wrappers: [...ofJavaScript.wrappers, 'ambient_declaration', 'public_field_definition'],
};

/** The languages that are split at their definitions when a grammar is present. */
export const sourceLanguages: readonly SourceLanguage[] = [
  { name: 'JavaScript', extensions: ['js', 'mjs', 'cjs', 'jsx'], grammar: 'javascript', ...ofJavaScript },
  { name: 'TypeScript', extensions: ['ts', 'mts', 'cts'], grammar: 'typescript', ...ofTypeScript },
  { name: 'TSX', extensions: ['tsx'], grammar: 'tsx', ...ofTypeScript },
  {
    name: 'Python',
    extensions: ['py', 'pyi'],
    grammar: 'python',
    definitions: ['function_definition'],
    containers: ['class_definition'],
    wrappers: ['decorated_definition'],
  },
  {
    name: 'Go',
    extensions: ['go'],
    grammar: 'go',
    definitions: ['function_declaration', 'method_declaration', 'type_declaration'],
  },
  {
    name: 'Rust',
    extensions: ['rs'],
    grammar: 'rust',
    definitions: [
      ...['function_item', 'function_signature_item', 'struct_item', 'enum_item', 'union_item', 'macro_definition'],
    ],
    containers: ['trait_item', 'impl_item'],
    namespaces: ['mod_item'],
  },
  {
    name: 'Java',
    extensions: ['java'],
    grammar: 'java',
    definitions: ['method_declaration', 'constructor_declaration', 'compact_constructor_declaration'],
    containers: [
      ...['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
      'annotation_type_declaration',
    ],
    transparent: ['enum_body_declarations'],
  },
  {
    name: 'C#',
    extensions: ['cs'],
    grammar: 'c-sharp',
    definitions: [
      ...['method_declaration', 'constructor_declaration', 'destructor_declaration', 'operator_declaration'],
      ...['delegate_declaration', 'enum_declaration'],
    ],
    containers: ['class_declaration', 'struct_declaration', 'interface_declaration', 'record_declaration'],
    namespaces: ['namespace_declaration'],
    transparent: ['preproc_if', 'preproc_else', 'preproc_elif'],
  },
  {
    name: 'C and C++',
    extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh'],
    grammar: 'cpp',
    definitions: ['function_definition', 'enum_specifier', 'type_definition', 'concept_definition'],
    containers: ['class_specifier', 'struct_specifier', 'union_specifier'],
    namespaces: ['namespace_definition'],
    wrappers: ['template_declaration'],
    transparent: [
      ...['linkage_specification', 'declaration_list', 'preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif'],
    ],
  },
  {
    name: 'Ruby',
    extensions: ['rb'],
    names: ['RAKEFILE', 'GEMFILE'],
    grammar: 'ruby',
    definitions: ['method', 'singleton_method'],
    containers: ['class', 'singleton_class'],
    namespaces: ['module'],
    // As in `private def size`.
    wrappers: ['call', 'argument_list'],
  },
  {
    name: 'PHP',
    extensions: ['php'],
    grammar: 'php',
    definitions: ['function_definition', 'method_declaration'],
    containers: ['class_declaration', 'interface_declaration', 'trait_declaration', 'enum_declaration'],
    namespaces: ['namespace_definition'],
  },
  { name: 'Bash', extensions: ['sh', 'bash'], grammar: 'bash', definitions: ['function_definition'] },
];
