/** Folders of these names are never a user's own writing. */
const always = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '__pycache__',
  '__pypackages__',
  'site-packages',
]);

/** Folders of these names are, when they lie beside the file of a build tool; elsewhere they may hold somebody's notes. */
const besideBuild = new Set(['dist', 'build', 'out', 'target', 'vendor', 'coverage', 'venv', 'env', 'obj', 'Pods']);

const buildFile =
  /^(?:package\.json|tsconfig\.json|cargo\.toml|go\.mod|pom\.xml|build\.(?:gradle|sbt)|build\.gradle\.kts|composer\.json|gemfile|podfile|pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|cmakelists\.txt|makefile|meson\.build|mix\.exs|.+\.(?:csproj|sln|cabal))$/i;

/** Why a folder is taken for packages of others or the output of a build; undefined when it is not. */
export function vendoredDetail(name: string, siblings: readonly string[]): string | undefined {
  if (always.has(name)) return `folders named ${name} are left out; give the folder itself to index it`;
  if (!besideBuild.has(name)) return undefined;
  const tool = siblings.find((sibling) => buildFile.test(sibling));
  return tool && `${name} beside ${tool}; give the folder itself to index it`;
}
