// Downloads the archive of an account, which a plain link could not do: it has no token.
import { Button } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { FileResponse } from '#sdk/v2.ts';
import { notifyError } from './notify-error.ts';
import { saveFile } from './save-file.ts';
import { t } from '../text/text.ts';

export interface ArchiveButtonProps {
  readonly load: () => Promise<FileResponse>;
  readonly children: string;
}

export function ArchiveButton({ load, children }: ArchiveButtonProps): JSX.Element {
  const [isPending, setPending] = useState(false);
  const download = async (): Promise<void> => {
    setPending(true);
    try {
      saveFile(await load());
    } catch (error) {
      notifyError(error, t('Archive not downloaded'));
    } finally {
      setPending(false);
    }
  };
  return (
    <Button size="compact-sm" variant="default" loading={isPending} onClick={() => void download()}>
      {children}
    </Button>
  );
}
