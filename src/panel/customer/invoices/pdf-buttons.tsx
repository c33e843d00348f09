// An invoice as PDF, in a tab of its own or as a file. It is fetched with the key of whoever is signed in, which no plain link could
// carry.
import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { JSX } from 'react';
import type { FileAnswer } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { openFile, saveFile } from '../../parts/save-file.ts';
import { Icon } from '../../shell/icons.tsx';

export interface PdfButtonsProps extends Pick<ButtonProps, 'size'> {
  readonly invoice: string;
  readonly number: string;
}

export function PdfButtons({ invoice, number, ...props }: PdfButtonsProps): JSX.Element {
  const pdf = useChange('invoicePdf', { changes: [] });
  const fetchFor = (use: (file: FileAnswer) => void, onFailure?: () => void): void =>
    pdf.mutate(
      { invoice: Number(invoice) },
      {
        onSuccess: use,
        onError: (error) => {
          onFailure?.();
          notifications.show({ color: 'red', title: `PDF of ${number}`, message: error.message });
        },
      },
    );
  const open = (): void => {
    const tab = openFile();
    fetchFor(tab.show, tab.giveUp);
  };
  const common = { variant: 'default', disabled: pdf.isPending, ...props } as const;
  return (
    <Button.Group>
      <Button {...common} onClick={open} aria-label={`Open the PDF of ${number}`}>
        Open
      </Button>
      <Button
        {...common}
        leftSection={<Icon name="download" size={16} />}
        onClick={() => fetchFor(saveFile)}
        aria-label={`PDF of ${number}`}
      >
        PDF
      </Button>
    </Button.Group>
  );
}
