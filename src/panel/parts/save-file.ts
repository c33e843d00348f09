// Hands a downloaded file to the browser, as a download or in a new tab.
import type { FileResponse } from '#sdk/v2.ts';

type File = Pick<FileResponse, 'name' | 'type' | 'bytes'>;

/** Long enough for any browser to have started the download. */
const revokeDelayMs = 60_000;

function createUrl({ type, bytes }: File): string {
  return URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
}

export function saveFile(file: File): void {
  const url = createUrl(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs);
}

export interface FileTab {
  readonly show: (file: File) => void;
  readonly close: () => void;
}

/**
 * Opens a tab to show a file in. Call it in the click handler, before fetching the file: popup blockers reject later
 * calls. If the tab is blocked anyway, the file is downloaded. The URL is not revoked, because saving from the tab
 * reads the file again.
 */
export function openFileTab(): FileTab {
  const tab = window.open('', '_blank');
  if (tab === null) return { show: saveFile, close: () => {} };
  return {
    show: (file) => {
      tab.location.href = createUrl(file);
    },
    close: () => tab.close(),
  };
}
