// The payments of an invoice, one line each: day, method, reference and amount.
import { Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Day } from './money.tsx';
import { methodText } from './method-text.ts';

export interface PaymentLinesProps {
  /** As the API has it: `2026-09-06 00:00:00 banktransfer LAB-TX-1 137.94`. */
  readonly text: string;
  /** An amount with its currency. */
  readonly amountOf: (amount: string) => ReactNode;
}

export function PaymentLines({ text, amountOf }: PaymentLinesProps): JSX.Element[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [day = '', , method = '', ...rest] = line.split(' ');
      const amount = rest.at(-1) ?? '';
      return (
        <Text key={line} size="sm" className="numbers">
          <Day on={day} /> · {[methodText(method), ...rest.slice(0, -1)].join(' ')} · {amountOf(amount)}
        </Text>
      );
    });
}
