// Views or downloads a document as PDF. It is fetched with the session's key, which a plain link could not send.
import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { FileResponse } from '#sdk/v2.ts';
import { notifyFailure } from './notify-error.ts';
import { openFileTab, saveFile } from './save-file.ts';
import { t } from '../text/text.ts';

export interface PdfButtonsProps extends Pick<ButtonProps, 'size'> {
  /** The document's name. */
  readonly title: string;
  readonly load: () => Promise<FileResponse>;
}

export function PdfButtons({ title, load, ...props }: PdfButtonsProps): JSX.Element {
  const pdf = useMutation({ mutationFn: load });
  // A promise, because the page may be left before the file has come, and a tab waits for it.
  const fetchFor = (use: (file: FileResponse) => void, onFailure?: () => void): void =>
    void pdf.mutateAsync().then(use, (error: unknown) => {
      onFailure?.();
      notifyFailure(title, error);
    });
  const open = (): void => {
    const tab = openFileTab();
    fetchFor(tab.show, tab.close);
  };
  const common = { variant: 'default', disabled: pdf.isPending, ...props } as const;
  return (
    <Button.Group>
      <Button {...common} onClick={open} aria-label={t('View {title} as PDF', { title })}>
        {t('View')}
      </Button>
      <Button {...common} onClick={() => fetchFor(saveFile)} aria-label={t('Download {title} as PDF', { title })}>
        {t('Download')}
      </Button>
    </Button.Group>
  );
}
