// An invoice as PDF. It is fetched with the key of whoever is signed in, which no plain link could carry.
import type { ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { JSX } from 'react';
import { useChange } from '../../data/read.ts';
import { saveFile } from '../../parts/save-file.ts';
import { Act } from '../../parts/act.tsx';
import { Icon } from '../../shell/icons.tsx';

export interface PdfButtonProps extends ButtonProps {
  readonly invoice: string;
  /** What a screen reader says where several stand below each other. */
  readonly label: string;
}

export function PdfButton({ invoice, label, ...props }: PdfButtonProps): JSX.Element {
  const pdf = useChange('invoicePdf', { changes: [] });
  const save = (): void =>
    pdf.mutate(
      { invoice: Number(invoice) },
      {
        onSuccess: saveFile,
        onError: (error) => notifications.show({ color: 'red', title: label, message: error.message }),
      },
    );
  return (
    <Act
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={pdf.isPending}
      onClick={save}
      {...props}
      aria-label={label}
    >
      PDF
    </Act>
  );
}
