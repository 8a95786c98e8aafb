import type { Block } from '../core/chunk.js';
import { lines } from '../core/text-segments.js';
import { headingFrom } from './source-heading.js';

/** Longer lines are no definitions that somebody wrote. */
const longestLine = 300;
/** Definitions within definitions that make a heading. */
const maxDepth = 2;

const modifiers =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|open|override|virtual|partial|async|unsafe|extern|inline|data|readonly|pub|pub\([a-z]+\)|local|suspend|case|create(?: or replace)?) +)*/i;
const keyword =
  /^(?:function|class|interface|enum|struct|trait|impl|type|namespace|module|mod|defmodule|defp?|fn|func|fun|object|record|protocol|extension|actor|union|macro_rules!|sub|proc|procedure|table|view|message|service|contract|theorem|instance|newtype|TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER)\b[ *(<]*[\w$("'`<]/;
/** `const name = (…) =>`, `const name = function`, and `name(arguments) {` of C and its kin. */
const assigned =
  /^(?:const|let|var|val) [\w$]+\b[^=]{0,100}= *(?:async *)?(?:\([^)]{0,200}\)|[\w$]+|function\b.*) *(?:=>|\{)/;
const cFunction = /^[A-Za-z_][\w:<>,*& ]{0,100}[ *&][\w:~]+\([^;]{0,200}$/;
const statement =
  /^(?:return|else|if|for|while|switch|case|throw|new|await|import|from|using|include|require|delete)\b/;
const comment = /^(?:\/\/|\/\*|\*|#(?!include|define|if)|--|;;|"""|'''|@\w|\[\w|%)/;

/**
 * A program that no grammar is used for, because there is none or it is too long: what stands between blank lines is a
 * block, and the lines of the definitions around it are its heading. Definitions are told by their first words and end
 * with a line that is indented no more; comments and decorators directly above belong to them. No language is parsed.
 */
export function blocksByLines(text: string): Block[] {
  const blocks: Block[] = [];
  let around: { indent: number; name: string }[] = [];
  let open: { start: number; end: number; heading: readonly string[] } | undefined;
  /** Where the comments that stand directly above begin. */
  let above: number | undefined;
  const close = (end = open?.end ?? 0) => {
    if (open !== undefined && end > open.start) blocks.push({ ...open, end, kind: 'code' });
    open = undefined;
  };
  for (const [start, end] of lines(text, { start: 0, end: text.length }, false)) {
    const line = text.slice(start, Math.min(end, start + longestLine + 1));
    // A line may begin with more white space than is looked at.
    const body = line.trim() || text.slice(start, end).trim().slice(0, longestLine);
    if (body === '') {
      close();
      above = undefined;
      continue;
    }
    const indent = indentOf(line);
    const isComment = comment.test(body);
    const defines = !isComment && line.length <= longestLine && isDefinition(body, indent);
    // A closing bracket belongs to what it closes, and so do lines such as `) -> int {`.
    if (!isComment && !/^[\])}]|^end\b/.test(body)) around = around.filter((definition) => definition.indent < indent);
    if (defines && around.length < maxDepth) {
      // Kept in the block before while the comment was read.
      if (above !== undefined && open !== undefined && open.start < above) close(text.slice(0, above).trimEnd().length);
      else if (above === undefined) close();
      around = [...around, { indent, name: headingFrom(body) }];
      const heading = around.map(({ name }) => name);
      open = { start: above ?? start, end, heading };
    } else {
      const heading = around.map(({ name }) => name);
      if (open !== undefined && open.heading.length > heading.length && !isComment) close();
      open = open === undefined ? { start, end, heading } : { ...open, end };
    }
    above = isComment ? (above ?? start) : undefined;
  }
  close();
  return blocks;
}

function isDefinition(body: string, indent: number): boolean {
  const bare = body.replace(modifiers, '');
  if (statement.test(bare)) return false;
  return keyword.test(bare) || (indent === 0 && (assigned.test(bare) || cFunction.test(bare)));
}

function indentOf(line: string): number {
  const [white = ''] = /^\s*/.exec(line) ?? [];
  return white.replaceAll('\t', '    ').length;
}
