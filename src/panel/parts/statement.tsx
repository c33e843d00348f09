// An account statement as customers and staff see it: the choice of a period, its balances and its bookings.
import { Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState, type JSX, type ReactNode } from 'react';
import type { Result } from '../data/operations.ts';
import { t } from '../text/text.ts';
import { FigureCard } from './figure.tsx';
import { Day } from './money.tsx';
import { EmptyCard } from './query-result.tsx';
import { periodNames, periodOf, statementKind, type Period, type PeriodName } from './statement-periods.ts';
import { TableCard, type Column } from './table-card.tsx';

type Statement = Result<'statementGet'>;
type Line = Statement['lines'][number];

export interface ChosenPeriod {
  readonly period: Period;
  readonly isValid: boolean;
  readonly picker: JSX.Element;
}

/** Begins with the current month. */
export function useStatementPeriod(): ChosenPeriod {
  const [name, setName] = useState<PeriodName>('this-month');
  const [period, setPeriod] = useState(() => periodOf('this-month', new Date()));
  const isValid = /^\d{4}-\d\d-\d\d$/.test(period.from) && period.from <= period.until;
  const chooseDay = (change: Partial<Period>): void => {
    setName('custom');
    setPeriod({ ...period, ...change });
  };
  const picker = (
    <Group align="flex-end">
      <Select
        label={t('Period')}
        allowDeselect={false}
        data={Object.entries(periodNames).map(([value, label]) => ({ value, label }))}
        value={name}
        onChange={(next) => {
          setName(next as PeriodName);
          if (next !== 'custom') setPeriod(periodOf(next as PeriodName, new Date()));
        }}
      />
      <TextInput
        type="date"
        label={t('From')}
        value={period.from}
        onChange={(event) => chooseDay({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('Until')}
        value={period.until}
        error={isValid ? undefined : t('Must not be before the first day')}
        onChange={(event) => chooseDay({ until: event.currentTarget.value })}
      />
    </Group>
  );
  return { period, isValid, picker };
}

export interface StatementViewProps {
  readonly statement: Statement;
  /** Renders an amount with its currency. */
  readonly money: (amount: string) => ReactNode;
}

export function StatementView({ statement, money }: StatementViewProps): JSX.Element {
  const { opening, charged, settled, closing, lines } = statement;
  const columns: readonly Column<Line>[] = [
    { label: t('Date'), cell: ({ date }) => <Day on={date} /> },
    { label: t('Booking'), cell: ({ kind }) => statementKind(kind) },
    { label: t('Reference'), className: 'wrap-anywhere', cell: ({ reference }) => reference },
    { label: t('Amount'), isNumber: true, cell: ({ amount }) => money(amount) },
    { label: t('Balance'), isNumber: true, fw: 600, cell: ({ balance }) => money(balance) },
  ];
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        {[
          [t('Opening balance'), opening],
          [t('Charged'), charged],
          [t('Paid and credited'), settled],
          [t('Closing balance'), closing],
        ].map(([label, amount]) => (
          <FigureCard key={label} name={label!}>
            {money(amount!)}
          </FigureCard>
        ))}
      </SimpleGrid>
      {lines.length === 0 ? (
        <EmptyCard icon="invoice" title={t('No bookings in this period')}>
          {t('Choose another period above.')}
        </EmptyCard>
      ) : (
        <TableCard
          label={t('Bookings')}
          columns={columns}
          rows={lines}
          rowKey={({ date, kind, reference, balance }) => `${date} ${kind} ${reference} ${balance}`}
          minWidth={640}
        />
      )}
    </>
  );
}
