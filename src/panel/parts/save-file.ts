// A file that an answer brought, handed to the browser as a download.
import type { FileAnswer } from '#sdk/v2.ts';

/** Long enough for any browser to have begun with it. */
const keptMs = 60_000;

export function saveFile({ name, type, bytes }: Pick<FileAnswer, 'name' | 'type' | 'bytes'>): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
