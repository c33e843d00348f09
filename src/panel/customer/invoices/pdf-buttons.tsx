// Views or downloads an invoice as PDF. It is fetched with the session's key, which a plain link could not send.
import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { JSX } from 'react';
import type { FileResponse } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { openFileTab, saveFile } from '../../parts/save-file.ts';
import { Icon } from '../../shell/icons.tsx';

export interface PdfButtonsProps extends Pick<ButtonProps, 'size'> {
  readonly invoice: string;
  readonly number: string;
}

export function PdfButtons({ invoice, number, ...props }: PdfButtonsProps): JSX.Element {
  const pdf = useChange('invoicePdf', { invalidates: [] });
  const fetchFor = (use: (file: FileResponse) => void, onFailure?: () => void): void =>
    pdf.mutate(
      { invoice: Number(invoice) },
      {
        onSuccess: use,
        onError: (error) => {
          onFailure?.();
          notifications.show({ color: 'red', title: `Invoice ${number}`, message: error.message });
        },
      },
    );
  const open = (): void => {
    const tab = openFileTab();
    fetchFor(tab.show, tab.close);
  };
  const common = { variant: 'default', disabled: pdf.isPending, ...props } as const;
  return (
    <Button.Group>
      <Button {...common} onClick={open} aria-label={`View ${number} as PDF`}>
        View
      </Button>
      <Button
        {...common}
        leftSection={<Icon name="download" size={16} />}
        onClick={() => fetchFor(saveFile)}
        aria-label={`Download ${number} as PDF`}
      >
        Download
      </Button>
    </Button.Group>
  );
}
