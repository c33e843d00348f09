// A file that an answer brought, handed to the browser: as a download, or in a tab of its own.
import type { FileAnswer } from '#sdk/v2.ts';

type File = Pick<FileAnswer, 'name' | 'type' | 'bytes'>;

/** Long enough for any browser to have begun with it. */
const keptMs = 60_000;

function urlOf({ type, bytes }: File): string {
  return URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
}

export function saveFile(file: File): void {
  const url = urlOf(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}

export interface FileTab {
  readonly show: (file: File) => void;
  readonly giveUp: () => void;
}

/** To be called in the click itself, before the file is fetched: later a browser takes the tab for one that nobody asked for. Where
 * it allows none, the file is saved. The tab reads the file again when somebody saves it there, so it is kept as long as this page. */
export function openFile(): FileTab {
  const tab = window.open('', '_blank');
  if (tab === null) return { show: saveFile, giveUp: () => {} };
  return {
    show: (file) => {
      tab.location.href = urlOf(file);
    },
    giveUp: () => tab.close(),
  };
}
