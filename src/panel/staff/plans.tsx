// Plans and their prices, coupons, and services that are cancelled.
import { Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../data/identity.ts';
import { useStaffRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { FormButton } from '../parts/form-button.tsx';
import { Day } from '../parts/money.tsx';
import { moneyText } from '../parts/money-text.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { QueryTable, type Column } from '../parts/table-card.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';
import { CancelledServices } from './plans/cancelled-services.tsx';
import { Coupons } from './plans/coupons.tsx';
import type { Plan } from './plans/plan.ts';
import { PlanActions } from './plans/plan-actions.tsx';
import { PlanForm } from './plans/plan-form.tsx';

const columns: readonly Column<Plan>[] = [
  { label: t('Plan'), miw: 140, cell: (plan) => <PlanName plan={plan} /> },
  { label: t('Price'), miw: 170, cell: (plan) => <PlanPrice plan={plan} /> },
  { label: t('Setup'), isNumber: true, cell: ({ setup }) => (setup === '0.00' ? '–' : moneyText(setup, '')) },
  { label: t('Minimum term'), isOneLine: true, cell: ({ minimum }) => minimumText(minimum) },
  { label: t('Metered usage'), miw: 160, cell: (plan) => <UsagePrices plan={plan} /> },
  { label: t('Services'), isNumber: true, cell: ({ services }) => services },
  { label: t('Status'), cell: ({ state }) => <StateBadge state={state} /> },
];
/** Left out if all plans are from the site file, because those are changed there. */
const actions: Column<Plan> = { label: t('Actions'), miw: 190, cell: (plan) => <PlanActions plan={plan} /> };

export function PlansPage(): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const plans = useStaffRead('pricePlanList', {});
  return (
    <Page
      title={t('Plans')}
      description={t(
        'What services cost. New prices apply to new services only, until you apply them to existing ones.',
      )}
      actions={
        <FormButton
          title={t('Create plan')}
          icon="plus"
          dialogSize="xl"
          disabledReason={denial}
          form={(close) => <PlanForm close={close} />}
        />
      }
    >
      <QueryTable
        query={plans}
        lines={6}
        empty={
          <EmptyCard icon="plan" title={t('No plans')}>
            {t('Create a plan here, or list plans in the site file.')}
          </EmptyCard>
        }
        label={t('Plans')}
        columns={plans.data?.some(({ origin }) => origin !== 'site') === true ? [...columns, actions] : columns}
        rowKey={({ name }) => name}
        minWidth={1000}
      />
      <Coupons />
      <CancelledServices />
    </Page>
  );
}

function PlanName({ plan: { name, origin, changefrom } }: { readonly plan: Plan }): JSX.Element {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {origin === 'site' && <Dimmed size="xs">{t('From the site file')}</Dimmed>}
      {changefrom !== '' && (
        <Dimmed size="xs">{rich('Applies to existing services from {day}', { day: <Day on={changefrom} /> })}</Dimmed>
      )}
    </Stack>
  );
}

function PlanPrice({ plan }: { readonly plan: Plan }): JSX.Element {
  return (
    <Stack gap={0}>
      <Text size="sm">{priceText(plan, plan)}</Text>
      {plan.prices.map((prices) => (
        <Dimmed key={prices.currency} size="xs">
          {priceText(plan, prices)}
        </Dimmed>
      ))}
    </Stack>
  );
}

function priceText({ months }: Plan, { price, hourly, currency }: Pick<Plan, 'price' | 'hourly' | 'currency'>): string {
  const amount = `${moneyText(price, '')} ${currency}`;
  if (hourly !== '')
    return t('{hourly} per hour, at most {amount} per month', { hourly: moneyText(hourly, ''), amount });
  if (months === '3') return t('{amount} per quarter', { amount });
  if (months === '12') return t('{amount} per year', { amount });
  return t('{amount} per month', { amount });
}

function minimumText(months: string): string {
  if (months === '0') return '–';
  return months === '1' ? t('1 month') : t('{months} months', { months });
}

const usageNames: Readonly<Record<string, (values: { included: string; price: string }) => string>> = {
  traffic: (values) => t('Traffic: {included} TB, then {price} per TB', values),
  backups: (values) => t('Backups: {included} GB, then {price} per GB', values),
  snapshots: (values) => t('Snapshots: {included} GB, then {price} per GB', values),
  volumes: (values) => t('Volumes: {included} GB, then {price} per GB', values),
};

function UsagePrices({ plan }: { readonly plan: Plan }): JSX.Element {
  const { mbits, mbitprice, addresses, addressprice, usage } = plan;
  const lines = [
    ...(mbits === '' ? [] : [t('{mbits} Mbit/s, then {price} each', { mbits, price: moneyText(mbitprice, '') })]),
    ...(addresses === ''
      ? []
      : [t('IPv4: {included}, then {price} each', { included: addresses, price: moneyText(addressprice, '') })]),
    ...usage.map(({ item, included, price }) => usageNames[item]!({ included, price: moneyText(price, '') })),
  ];
  return (
    <Stack gap={0}>
      {lines.map((line) => (
        <Text key={line} size="xs">
          {line}
        </Text>
      ))}
    </Stack>
  );
}
