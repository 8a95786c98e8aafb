import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sets = ['scifact', 'nfcorpus'];
const folders = 50;

/**
 * Writes Markdown files that hold the documents of two collections, `copies` times under other words, and returns their
 * bytes. Each file has one or two sections, each section paragraphs of three sentences.
 */
export function writeCorpus(data, folder, { files = 5_000, copies = 1 } = {}) {
  const documents = sets.flatMap((set) => documentsOf(join(data, set, 'corpus.jsonl')));
  let bytes = 0;
  for (let copy = 0; copy < copies; copy++) {
    const contents = Array.from({ length: files }, () => []);
    documents.forEach(({ title, text }, index) => {
      const paragraphs = text.replace(/((?:[^.]+\. ){3})/g, '$1\n\n');
      contents[index % files].push(`# ${title || 'Untitled'}${copy ? ` ${copy}` : ''}\n\n${paragraphs}\n`);
    });
    contents.forEach((sections, index) => {
      const parent = join(folder, `folder-${copy}-${index % folders}`);
      mkdirSync(parent, { recursive: true });
      // The second half of the text first, so that no chunk of a copy is one of the original.
      const turned = copy === 0 ? sections : sections.map((section) => section.split('. ').reverse().join('. '));
      const content = turned.join('\n');
      bytes += Buffer.byteLength(content);
      writeFileSync(join(parent, `note-${index}.md`), content);
    });
  }
  return bytes;
}

/** The collections, or undefined when one is not there. */
export function hasData(data) {
  return sets.every((set) => existsSync(join(data, set, 'corpus.jsonl')));
}

function documentsOf(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
