// Renames and leaves out entries of a tar archive as it passes, whatever kinds of entries it has. The content of a file is never
// kept, and of what describes it no more than a megabyte. Names are bytes, so they are read as Latin-1.
import { blockBytes, createHeader, paddingOf, withChecksum } from '#lib/tar.ts';
import { byteReader, damaged, requireHeader, type ByteReader } from './tar-stream.ts';

const maxDescriptionBytes = 2 ** 20;
const nameBytes = 100;
const prefixAt = { from: 345, to: 500 } as const;
const linkAt = 157;

const types = { hardLink: '1', pax: 'x', globalPax: 'g', longName: 'L', longLink: 'K', sparse: 'S' } as const;

/** Returns another path, or undefined to leave the entry out. */
export type RenameEntry = (path: string) => string | undefined;

/** Begins with these small files. An entry that is a hard link is renamed with its target; symbolic links stay as they are. */
export async function* rewriteTar(
  archive: AsyncIterable<Buffer>,
  rename: RenameEntry,
  first: Readonly<Record<string, string>> = {},
): AsyncGenerator<Buffer> {
  for (const [name, text] of Object.entries(first))
    yield* smallEntry(createHeader(name, Buffer.byteLength(text)), text);
  const source = byteReader(archive);
  try {
    let records = new Map<string, string>();
    for (;;) {
      const header = await source.take(blockBytes);
      if (header === undefined) throw damaged('the archive is truncated');
      if (header.every((byte) => byte === 0)) break;
      const { bytes: plainBytes } = requireHeader(header);
      const type = String.fromCharCode(header[156]!);
      if (type === types.sparse || type === types.globalPax) throw damaged(`the archive has an entry of type ${type}`);
      if (type === types.pax) records = new Map([...records, ...parseRecords(await takeText(source, plainBytes))]);
      else if (type === types.longName || type === types.longLink) {
        const text = untilNull(await takeText(source, plainBytes));
        records.set(type === types.longName ? 'path' : 'linkpath', text);
      } else {
        // A copy, because the header belongs to the source.
        yield* entry(source, Buffer.from(header), records, rename);
        records = new Map();
      }
    }
    while ((await source.takeSome(Infinity)) !== undefined);
  } finally {
    await source.end();
  }
  yield Buffer.alloc(2 * blockBytes);
}

async function* entry(
  source: ByteReader,
  header: Buffer,
  records: Map<string, string>,
  rename: RenameEntry,
): AsyncGenerator<Buffer> {
  const bytes = Number(records.get('size') ?? requireHeader(header).bytes);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw damaged('an entry has no size');
  const path = rename(records.get('path') ?? headerPath(header));
  if (path !== undefined) {
    setText(header, records, { key: 'path', at: 0 }, path);
    if (isPosix(header)) header.fill(0, prefixAt.from, prefixAt.to);
    if (header[156] === types.hardLink.charCodeAt(0)) {
      const link = rename(records.get('linkpath') ?? textAt(header, linkAt, nameBytes));
      if (link === undefined) throw damaged('a link points outside of what is kept');
      setText(header, records, { key: 'linkpath', at: linkAt }, link);
    }
    if (records.size > 0) {
      const text = formatRecords(records);
      yield* smallEntry(createHeader('PaxHeaders/entry', Buffer.byteLength(text, 'latin1'), { type: types.pax }), text);
    }
    yield withChecksum(header);
  }
  for (let left = bytes + paddingOf(bytes); left > 0;) {
    const chunk = await source.takeSome(left);
    if (chunk === undefined) throw damaged('the archive is truncated');
    left -= chunk.length;
    if (path !== undefined) yield chunk;
  }
}

/** In the header if it fits there, and otherwise in a record before it. */
function setText(
  header: Buffer,
  records: Map<string, string>,
  { key, at }: { readonly key: string; readonly at: number },
  text: string,
): void {
  header.fill(0, at, at + nameBytes);
  header.write(text.slice(0, nameBytes), at, 'latin1');
  // A name that is not ASCII also needs a record.
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  if (text.length <= nameBytes && /^[\x00-\x7f]*$/.test(text)) records.delete(key);
  else records.set(key, text);
}

function headerPath(header: Buffer): string {
  const prefix = isPosix(header) ? textAt(header, prefixAt.from, prefixAt.to - prefixAt.from) : '';
  const name = textAt(header, 0, nameBytes);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** GNU's own format has other fields where POSIX has the prefix of the name. */
function isPosix(header: Buffer): boolean {
  return header[262] === 0;
}

function textAt(header: Buffer, at: number, length: number): string {
  return untilNull(header.toString('latin1', at, at + length));
}

function untilNull(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

/** Each is `LENGTH KEY=VALUE\n`; a value can have any byte. */
function parseRecords(text: string): [string, string][] {
  const records: [string, string][] = [];
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(' ', at);
    const length = Number(text.slice(at, space));
    const equals = text.indexOf('=', space);
    const end = at + length;
    if (space === -1 || !(length > 0) || end > text.length || equals === -1 || equals >= end)
      throw damaged('the archive has a damaged header');
    records.push([text.slice(space + 1, equals), text.slice(equals + 1, end - 1)]);
    at = end;
  }
  return records;
}

function formatRecords(records: ReadonlyMap<string, string>): string {
  return Array.from(records, ([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = rest.length + 1;
    // The length counts its own digits.
    while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
    return `${length}${rest}`;
  }).join('');
}

async function takeText(source: ByteReader, bytes: number): Promise<string> {
  if (!(bytes <= maxDescriptionBytes)) throw damaged('a header of the archive is too large');
  const content = await source.take(bytes);
  const padding = paddingOf(bytes);
  if (content === undefined || (padding > 0 && (await source.take(padding)) === undefined))
    throw damaged('the archive is truncated');
  return content.toString('latin1');
}

function* smallEntry(header: Buffer, text: string): Generator<Buffer> {
  const content = Buffer.from(text, 'latin1');
  yield header;
  yield Buffer.concat([content, Buffer.alloc(paddingOf(content.length))]);
}
