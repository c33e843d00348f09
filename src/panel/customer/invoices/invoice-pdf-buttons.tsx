// Views or downloads an invoice as PDF.
import type { ButtonProps } from '@mantine/core';
import type { JSX } from 'react';
import { customerApi } from '../../data/session.ts';
import { PdfButtons } from '../../parts/pdf-buttons.tsx';

export interface InvoicePdfButtonsProps extends Pick<ButtonProps, 'size'> {
  readonly invoice: string;
  readonly number: string;
}

export function InvoicePdfButtons({ invoice, number, ...props }: InvoicePdfButtonsProps): JSX.Element {
  return <PdfButtons title={number} load={() => customerApi().invoicePdf({ invoice: Number(invoice) })} {...props} />;
}
