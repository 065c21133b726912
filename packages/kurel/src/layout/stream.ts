import type { OutputFile } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import { endWithLineBreak, isJson, startsAsJson } from './document-text.ts';
import { indentJson } from './join-texts.ts';
import type { LayoutInput } from './layout.ts';
import { groupDocuments, stateDocument, writeDocument, type StreamDocument } from './stream-documents.ts';
import { endOf, separate, startOf } from './stream-separators.ts';
import { writeGuarded } from './write-object.ts';

/**
 * All objects in one text. As YAML, texts that were read stay as they are, with `---` between them and only the changes of
 * their objects in them. As JSON, they are printed anew, in an array if there are several documents.
 */
export function layOutStream(input: LayoutInput): readonly OutputFile[] {
  const documents = groupDocuments(input.objects, input.origins);
  return input.format === 'yaml'
    ? [{ path: 'manifests.yaml', text: joinAsYaml(documents, input) }]
    : [{ path: 'manifests.json', text: joinAsJson(documents, input) }];
}

function joinAsYaml(documents: readonly StreamDocument[], input: LayoutInput): string {
  const isMixed = documents.some(({ first }) => first?.source !== documents[0]?.first?.source);
  const pieces: string[] = [];
  let before: StreamDocument | undefined;
  for (const [index, document] of documents.entries()) {
    const body = writeGuarded(document.objects, input, () => writeDocument(document, { isMixed }));
    if (body === undefined) continue;
    const isFollowed = index < documents.length - 1;
    const ended = isFollowed ? endWithLineBreak(body) : body;
    const lead = before === undefined ? startOf(document) : separate(before, document);
    // Without it, kubectl before 1.33 takes the whole stream for JSON, and fails at the next document.
    if (before === undefined && isMixed && startsAsJson(lead + ended)) pieces.push('---\n');
    // What is printed anew cannot always stand behind a marker on its line.
    const isOnMarkerLine = lead.endsWith('---') && !/^[ \t\r\n]/.test(ended);
    pieces.push(lead, isOnMarkerLine ? '\n' : '', ended);
    before = document;
  }
  if (before !== undefined) pieces.push(endOf(before));
  return pieces.join('');
}

function joinAsJson(documents: readonly StreamDocument[], input: LayoutInput): string {
  const [only] = documents;
  const keepsText = documents.length === 1 && only?.whole !== undefined && isJson(only.first!.source.text);
  const texts = documents
    .map((document) =>
      writeGuarded(document.objects, input, () =>
        keepsText ? writeDocument(document, { isMixed: false }) : `${writeJson(stateDocument(document))}\n`,
      ),
    )
    .filter((text) => text !== undefined);
  if (texts.length === 0) return '[]\n';
  return texts.length === 1 ? texts[0]! : `[\n${texts.map((text) => indentJson(text, '  ')).join(',\n')}\n]\n`;
}
