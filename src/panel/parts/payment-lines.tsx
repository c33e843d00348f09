// The payments of an invoice, one line each: day, method, reference and amount.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { Day } from './money.tsx';
import { moneyText } from './money-text.ts';
import { t } from '../text/text.ts';

const methods: Readonly<Record<string, string>> = { banktransfer: t('Bank transfer'), card: t('Card') };

/** Returns the method in words, or the provider's own name of it. */
export function methodText(method: string): string {
  return methods[method] ?? method;
}

/** `text` is as the API has it: `2026-09-06 00:00:00 banktransfer LAB-TX-1 137.94`. */
export function PaymentLines({ text }: { text: string }): JSX.Element[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [day = '', , method = '', ...rest] = line.split(' ');
      const amount = rest.at(-1) ?? '';
      return (
        <Text key={line} size="sm" className="numbers">
          <Day on={day} /> · {[methodText(method), ...rest.slice(0, -1)].join(' ')} · {moneyText(amount, '')}
        </Text>
      );
    });
}
