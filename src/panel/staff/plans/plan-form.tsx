// Creates a plan, or replaces the prices of one for new services.
import { Fieldset, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { PricePlanCreateInput } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { t } from '../../text/text.ts';
import type { Plan } from './plan.ts';

export interface PlanFormProps {
  /** The plan to change; a new one by default. */
  readonly plan?: Plan;
  readonly close: () => void;
}

const items = ['traffic', 'backups', 'snapshots'] as const;
const itemNames = { traffic: t('Traffic in TB'), backups: t('Backups in GB'), snapshots: t('Snapshots in GB') };
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
  return (
    <Form
      fields={fields}
      submitLabel={plan === undefined ? t('Create plan') : t('Save')}
      onCancel={close}
      onSubmit={async () => {
        await (plan === undefined ? create : update).mutateAsync(inputOf(values));
        close();
      }}
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
          <TextInput label={t('Price of a further one')} inputMode="decimal" {...input('mbitprice')} />
          <TextInput label={t('At most, per month')} inputMode="decimal" {...input('mbitcap')} />
          <TextInput label={t('Included IPv4 addresses')} inputMode="numeric" {...input('addresses')} />
          <TextInput label={t('Price of a further one')} inputMode="decimal" {...input('addressprice')} />
          <TextInput label={t('At most, per month')} inputMode="decimal" {...input('addresscap')} />
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
              label={t('Price of a further one')}
              inputMode="decimal"
              {...usageInput(fields, `${item}Price`)}
            />,
            <TextInput
              key={`${item} cap`}
              label={t('At most, per month')}
              inputMode="decimal"
              {...usageInput(fields, `${item}Cap`)}
            />,
          ])}
        </SimpleGrid>
      </Fieldset>
    </Form>
  );
}

type UsageName = `${(typeof items)[number]}${'Included' | 'Price' | 'Cap'}`;
type Values = ReturnType<typeof valuesOf>;

/** The API reports problems of these together, as those of `usage`. */
function usageInput({ input }: ReturnType<typeof useFormFields<Values>>, name: UsageName) {
  const { value, onChange } = input(name);
  return { value, onChange };
}

function valuesOf(plan: Plan | undefined) {
  const usage = Object.fromEntries(
    items.flatMap((item): [UsageName, string][] => {
      const price = plan?.usage.find((candidate) => candidate.item === item);
      return [
        [`${item}Included`, price?.included ?? ''],
        [`${item}Price`, price?.price ?? ''],
        [`${item}Cap`, price?.cap ?? ''],
      ];
    }),
  ) as Record<UsageName, string>;
  return {
    name: plan?.name ?? '',
    price: plan?.price ?? '',
    cycle: plan?.cycle ?? ('monthly' as const),
    setup: plan?.setup ?? '',
    hourly: plan?.hourly ?? '',
    minimum: plan === undefined || plan.minimum === '0' ? '' : plan.minimum,
    changes: plan?.changes ?? ([] as readonly string[]),
    mbits: plan?.mbits ?? '',
    mbitprice: plan?.mbitprice ?? '',
    mbitcap: plan?.mbitcap ?? '',
    addresses: plan?.addresses ?? '',
    addressprice: plan?.addressprice ?? '',
    addresscap: plan?.addresscap ?? '',
    ...usage,
  };
}

/** Empty fields are left out. */
function inputOf(values: Values): PricePlanCreateInput {
  const { name, price, cycle, changes } = values;
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
      price: values[`${item}Price`].trim(),
      ...(values[`${item}Cap`].trim() === '' ? {} : { cap: values[`${item}Cap`].trim() }),
    }));
  return {
    name: name.trim(),
    price: price.trim(),
    cycle,
    ...given(['setup', 'hourly', 'mbitprice', 'mbitcap', 'addressprice', 'addresscap'], (text) => text),
    ...given(['minimum', 'mbits', 'addresses'], Number),
    ...(changes.length === 0 ? {} : { changes }),
    ...(usage.length === 0 ? {} : { usage }),
  };
}
