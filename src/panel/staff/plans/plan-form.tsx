// Creates a plan, or replaces the prices of one for new services.
import { Fieldset, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { PricePlanCreateInput } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { amountInput } from '../../parts/money-text.ts';
import { t } from '../../text/text.ts';
import type { Plan } from './plan.ts';
import {
  amountProps,
  CurrencyFields,
  listCurrencies,
  pricesInput,
  pricesOf,
  usageItems as items,
  type CurrencyPrices,
  type UsagePriceName,
} from './plan-currencies.tsx';
import { MachineFields, machineInput, machineValues } from './plan-machine.tsx';

export interface PlanFormProps {
  /** The plan to change; a new one by default. */
  readonly plan?: Plan;
  readonly close: () => void;
}

const itemNames = {
  traffic: t('Traffic in TB'),
  backups: t('Backups in GB'),
  snapshots: t('Snapshots in GB'),
  volumes: t('Volumes in GB'),
};
const cycles = [
  { value: 'monthly', label: t('Month') },
  { value: 'quarterly', label: t('Quarter') },
  { value: 'yearly', label: t('Year') },
];

export function PlanForm({ plan, close }: PlanFormProps): JSX.Element {
  const fields = useFormFields(valuesOf(plan));
  const plans = useStaffRead('pricePlanList', {});
  const create = useStaffChange('pricePlanCreate', { successMessage: t('Plan created') });
  const update = useStaffChange('pricePlanUpdate', { successMessage: t('Plan changed') });
  const { values, input, set, errorOf } = fields;
  const [currencies] = useState(listCurrencies);
  // The provider's, if the plan names no other.
  const own = useStaffRead('exchangeRateList', {}).data?.currency ?? '';
  const currency = values.currency || own;
  return (
    <Form
      fields={fields}
      submitLabel={plan === undefined ? t('Create plan') : t('Save')}
      close={close}
      onSubmit={() => (plan === undefined ? create : update).mutateAsync(inputOf(values, own))}
    >
      <TextInput label={t('Name')} required disabled={plan !== undefined} maxLength={64} {...input('name')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <TextInput label={t('Price')} required placeholder="29.00" inputMode="decimal" {...input('price')} />
        <Select
          label={t('Billing cycle')}
          data={cycles}
          value={values.cycle}
          allowDeselect={false}
          error={errorOf('cycle')}
          onChange={(cycle) => set({ cycle: (cycle ?? 'monthly') as Plan['cycle'] })}
        />
        <Select
          label={t('Currency')}
          searchable
          data={currencies.filter((code) => !values.prices.some((price) => price.currency === code))}
          value={currency}
          allowDeselect={false}
          error={errorOf('currency')}
          onChange={(code) => set({ currency: code ?? '' })}
        />
        <TextInput label={t('Setup fee')} inputMode="decimal" {...input('setup')} />
        <TextInput
          label={t('Price per hour')}
          description={t('The price above is then the most that a month costs.')}
          placeholder="0.0400"
          inputMode="decimal"
          {...input('hourly')}
        />
        <TextInput
          label={t('Minimum term')}
          description={t('Months before customers can cancel.')}
          inputMode="numeric"
          {...input('minimum')}
        />
      </SimpleGrid>
      <TagsInput
        label={t('Customers can change to')}
        description={t('Only plans for the same hardware: a change of plan changes prices, not the server.')}
        data={(plans.data ?? []).map(({ name }) => name).filter((name) => name !== values.name)}
        value={[...values.changes]}
        error={errorOf('changes')}
        onChange={(changes) => set({ changes })}
      />
      <Fieldset legend={t('Metered usage')}>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <TextInput label={t('Included Mbit/s')} inputMode="numeric" {...input('mbits')} />
          <TextInput label={t('Price of each additional one')} inputMode="decimal" {...input('mbitprice')} />
          <TextInput label={t('Monthly maximum')} inputMode="decimal" {...input('mbitcap')} />
          <TextInput label={t('Included IPv4 addresses')} inputMode="numeric" {...input('addresses')} />
          <TextInput label={t('Price of each additional one')} inputMode="decimal" {...input('addressprice')} />
          <TextInput label={t('Monthly maximum')} inputMode="decimal" {...input('addresscap')} />
          {items.flatMap((item) => [
            <TextInput
              key={item}
              label={t('Included: {item}', { item: itemNames[item] })}
              inputMode="numeric"
              error={errorOf('usage')}
              {...usageInput(fields, `${item}Included`)}
            />,
            <TextInput
              key={`${item} price`}
              label={t('Price of each additional one')}
              {...amountProps}
              {...usageInput(fields, `${item}Price`)}
            />,
            <TextInput
              key={`${item} cap`}
              label={t('Monthly maximum')}
              {...amountProps}
              {...usageInput(fields, `${item}Cap`)}
            />,
          ])}
        </SimpleGrid>
      </Fieldset>
      <CurrencyFields
        base={{ ...values, currency }}
        prices={values.prices}
        currencies={currencies}
        error={errorOf('prices')}
        onChange={(prices) => set({ prices })}
      />
      <MachineFields fields={fields} />
    </Form>
  );
}

type UsageName = `${(typeof items)[number]}Included` | UsagePriceName;
type Values = ReturnType<typeof valuesOf>;

/** The API reports problems of these together, as those of `usage`. */
function usageInput({ input }: ReturnType<typeof useFormFields<Values>>, name: UsageName) {
  const { value, onChange } = input(name);
  return { value, onChange };
}

function valuesOf(plan: Plan | undefined) {
  const included = Object.fromEntries(
    items.map((item) => [`${item}Included`, plan?.usage.find((used) => used.item === item)?.included ?? '']),
  ) as Record<`${(typeof items)[number]}Included`, string>;
  return {
    name: plan?.name ?? '',
    currency: plan?.currency ?? '',
    ...pricesOf(plan),
    prices: (plan?.prices ?? []).map((prices) => ({
      currency: prices.currency,
      ...pricesOf(prices),
    })) as readonly CurrencyPrices[],
    cycle: plan?.cycle ?? ('monthly' as const),
    minimum: plan === undefined || plan.minimum === '0' ? '' : plan.minimum,
    changes: plan?.changes ?? ([] as readonly string[]),
    mbits: plan?.mbits ?? '',
    addresses: plan?.addresses ?? '',
    ...included,
    ...machineValues(plan),
  };
}

/** Empty fields are left out. */
function inputOf(values: Values, own: string): PricePlanCreateInput {
  const { name, price, currency, prices, cycle, changes } = values;
  const given = <Name extends keyof Values>(names: readonly Name[], read: (text: string) => unknown) =>
    Object.fromEntries(
      names
        .map((key) => [key, String(values[key]).trim()] as const)
        .flatMap(([key, text]) => (text === '' ? [] : [[key, read(text)]])),
    );
  const usage = items
    .filter((item) => values[`${item}Price`].trim() !== '')
    .map((item) => ({
      item,
      included: Number(values[`${item}Included`]),
      price: amountInput(values[`${item}Price`]),
      ...(values[`${item}Cap`].trim() === '' ? {} : { cap: amountInput(values[`${item}Cap`]) }),
    }));
  return {
    name: name.trim(),
    price: amountInput(price),
    cycle,
    ...(currency === '' || currency === own ? {} : { currency }),
    ...given(['setup', 'hourly', 'mbitprice', 'mbitcap', 'addressprice', 'addresscap'], amountInput),
    ...given(['minimum', 'mbits', 'addresses'], Number),
    ...(changes.length === 0 ? {} : { changes }),
    ...(usage.length === 0 ? {} : { usage }),
    ...(prices.length === 0 ? {} : { prices: prices.map((other) => pricesInput(values, other)) }),
    ...machineInput(values),
  };
}
