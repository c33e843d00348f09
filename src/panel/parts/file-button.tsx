// Downloads a file of the API, which a plain link could not do: it has no key.
import { useState, type JSX } from 'react';
import type { FileResponse } from '#sdk/v2.ts';
import { ActionButton } from './action-button.tsx';
import { notifyError } from './notify-error.ts';
import { saveFile } from './save-file.ts';
import { t } from '../text/text.ts';

export interface FileButtonProps {
  readonly load: () => Promise<FileResponse>;
  readonly children: string;
  readonly size?: 'compact-sm';
}

export function FileButton({ load, children, ...look }: FileButtonProps): JSX.Element {
  const [isPending, setPending] = useState(false);
  const download = async (): Promise<void> => {
    setPending(true);
    try {
      saveFile(await load());
    } catch (error) {
      notifyError(error, t('File not downloaded'));
    } finally {
      setPending(false);
    }
  };
  return (
    <ActionButton variant="default" icon="download" {...look} loading={isPending} onClick={() => void download()}>
      {children}
    </ActionButton>
  );
}
