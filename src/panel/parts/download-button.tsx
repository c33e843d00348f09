// A button that downloads a text of the API as a file.
import type { JSX } from 'react';
import { FileButton, type FileButtonProps } from './file-button.tsx';

export interface DownloadButtonProps extends Omit<FileButtonProps, 'load'> {
  readonly fileName: string;
  readonly type: string;
  readonly load: () => Promise<string>;
}

export function DownloadButton({ fileName: name, type, load, ...button }: DownloadButtonProps): JSX.Element {
  return <FileButton {...button} load={async () => ({ name, type, bytes: new TextEncoder().encode(await load()) })} />;
}
