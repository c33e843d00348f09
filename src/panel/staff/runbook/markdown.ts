// The Markdown of our runbooks as data: headings, paragraphs, lists, tables and code. Whatever else there is stays text, so that a
// page can never contain markup that we did not write.
export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] };
type Cell = readonly Inline[];

export function parseMarkdown(source: string): Block[] {
  const lines = source.split(/\r?\n/);
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length;) {
    const { block, length } = readBlock(lines.slice(start));
    if (block !== undefined) blocks.push(block);
    start += length;
  }
  return blocks;
}

function readBlock(lines: readonly string[]): { readonly block?: Block; readonly length: number } {
  const first = lines[0]!;
  if (first.trim() === '') return { length: 1 };
  if (first.startsWith('```')) {
    const end = lines.findIndex((line, index) => index > 0 && line.startsWith('```'));
    const length = end === -1 ? lines.length : end + 1;
    return { block: { kind: 'code', text: lines.slice(1, end === -1 ? undefined : end).join('\n') }, length };
  }
  const heading = /^(#{1,6}) (.*)$/.exec(first);
  if (heading !== null)
    return { block: { kind: 'heading', level: heading[1]!.length, content: parseInline(heading[2]!) }, length: 1 };
  if (first.startsWith('|')) {
    const rows = takeWhile(lines, (line) => line.startsWith('|'));
    const cells = rows.filter((_, index) => index !== 1).map(parseCells);
    return { block: { kind: 'table', head: cells[0]!, rows: cells.slice(1) }, length: rows.length };
  }
  const isItem = first.startsWith('- ');
  const part = [first, ...takeWhile(lines.slice(1), (line) => line.trim() !== '' && (isItem || !startsBlock(line)))];
  if (!isItem) return { block: { kind: 'paragraph', content: parseInline(joinLines(part)) }, length: part.length };
  const items: string[][] = [];
  for (const line of part)
    if (line.startsWith('- ')) items.push([line.slice(2)]);
    else items.at(-1)!.push(line);
  return { block: { kind: 'list', items: items.map((item) => parseInline(joinLines(item))) }, length: part.length };
}

function startsBlock(line: string): boolean {
  return /^(?:- |#{1,6} |\||```)/.test(line);
}

function takeWhile(lines: readonly string[], isPart: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex((line) => !isPart(line));
  return end === -1 ? lines : lines.slice(0, end);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ');
}

function parseCells(row: string): Cell[] {
  return row
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}

export function parseInline(source: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  const addText = (text: string): void => void (text !== '' && parts.push({ kind: 'text', text }));
  for (const match of source.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\(([^()[\s]+)\)/g)) {
    const [whole, code, strong, link, target] = match;
    addText(source.slice(end, match.index));
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else parts.push({ kind: 'link', text: link!, target: target! });
    end = match.index + whole.length;
  }
  addText(source.slice(end));
  return parts;
}
