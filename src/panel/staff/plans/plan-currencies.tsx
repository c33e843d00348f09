// The prices of a plan in other currencies, in the form of the plan: for every price that it has, one in each currency.
import { Button, Fieldset, Group, Input, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { amountInput } from '../../parts/money-text.ts';
import { t } from '../../text/text.ts';
import type { Plan } from './plan.ts';

export const usageItems = ['traffic', 'backups', 'snapshots', 'volumes'] as const;
type UsageItem = (typeof usageItems)[number];
export type UsagePriceName = `${UsageItem}${'Price' | 'Cap'}`;

const plainNames = ['price', 'hourly', 'setup', 'mbitprice', 'mbitcap', 'addressprice', 'addresscap'] as const;
const usageNames = usageItems.flatMap((item): UsagePriceName[] => [`${item}Price`, `${item}Cap`]);
const names = [...plainNames, ...usageNames];
type PriceName = (typeof names)[number];
/** Texts, as they are typed. */
export type Prices = Readonly<Record<PriceName, string>>;
export type CurrencyPrices = Prices & { readonly currency: string };

const labels: Readonly<Record<PriceName, string>> = {
  price: t('Price'),
  hourly: t('Price per hour'),
  setup: t('Setup fee'),
  mbitprice: t('Further Mbit/s'),
  mbitcap: t('Mbit/s, limit'),
  addressprice: t('Further IPv4 address'),
  addresscap: t('Addresses, limit'),
  trafficPrice: t('Further TB of traffic'),
  trafficCap: t('Traffic, limit'),
  backupsPrice: t('Further GB of backups'),
  backupsCap: t('Backups, limit'),
  snapshotsPrice: t('Further GB of snapshots'),
  snapshotsCap: t('Snapshots, limit'),
  volumesPrice: t('Further GB of volumes'),
  volumesCap: t('Volumes, limit'),
};

/** For amounts in lists, of which the API reports problems without saying which one it is. */
export const amountProps = {
  inputMode: 'decimal',
  pattern: '[0-9]{1,9}([.,][0-9]{1,2})?',
  title: t('Enter an amount such as 12.50.'),
} as const;
const hourlyProps = { ...amountProps, pattern: '[0-9]{1,6}([.,][0-9]{1,4})?' } as const;

type StoredPrices = Pick<Plan, (typeof plainNames)[number]> & {
  readonly usage: readonly { readonly item: string; readonly price: string; readonly cap: string }[];
};

/** Returns the prices as texts, those that are not set as empty ones. */
export function pricesOf(stored: StoredPrices | undefined): Prices {
  const usage = usageItems.flatMap((item): [UsagePriceName, string][] => {
    const found = stored?.usage.find((candidate) => candidate.item === item);
    return [
      [`${item}Price`, found?.price ?? ''],
      [`${item}Cap`, found?.cap ?? ''],
    ];
  });
  const plain = plainNames.map((name) => [name, stored?.[name] ?? '']);
  return Object.fromEntries([...plain, ...usage]) as Prices;
}

/** Returns the prices that the plan has, as the API takes them. */
export function pricesInput(base: Prices, { currency, ...prices }: CurrencyPrices) {
  const has = (name: PriceName): boolean => isUsed(base, name);
  const usage = usageItems
    .filter((item) => has(`${item}Price`))
    .map((item) => ({
      item,
      price: amountInput(prices[`${item}Price`]),
      ...(has(`${item}Cap`) ? { cap: amountInput(prices[`${item}Cap`]) } : {}),
    }));
  return {
    currency,
    ...(Object.fromEntries(plainNames.filter(has).map((name) => [name, amountInput(prices[name])])) as {
      price: string;
    }),
    ...(usage.length === 0 ? {} : { usage }),
  };
}

function isUsed(base: Prices, name: PriceName): boolean {
  if (name === 'price') return true;
  const text = amountInput(base[name]);
  return text !== '' && !(name === 'setup' && Number(text) === 0);
}

/** The currencies that amounts can be in: those with two decimals. */
export function listCurrencies(): string[] {
  return Intl.supportedValuesOf('currency').filter(
    (currency) =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2,
  );
}

export interface CurrencyFieldsProps {
  /** The prices in the plan's own currency. */
  readonly base: CurrencyPrices;
  readonly prices: readonly CurrencyPrices[];
  readonly currencies: readonly string[];
  readonly error: string | undefined;
  onChange(prices: readonly CurrencyPrices[]): void;
}

export function CurrencyFields({ base, prices, currencies, error, onChange }: CurrencyFieldsProps): JSX.Element {
  const used = new Set([base.currency, ...prices.map(({ currency }) => currency)]);
  return (
    <Stack gap="sm">
      {prices.map((price, index) => (
        <Fieldset key={price.currency} legend={t('Prices in {currency}', { currency: price.currency })}>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            {names
              .filter((name) => isUsed(base, name))
              .map((name) => (
                <TextInput
                  key={name}
                  label={labels[name]}
                  required
                  {...(name === 'hourly' ? hourlyProps : amountProps)}
                  value={price[name]}
                  onChange={({ currentTarget: { value } }) => onChange(prices.with(index, { ...price, [name]: value }))}
                />
              ))}
          </SimpleGrid>
          <Group justify="flex-end" mt="sm">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onChange(prices.filter((other) => other !== price))}
            >
              {t('Remove {currency}', { currency: price.currency })}
            </Button>
          </Group>
        </Fieldset>
      ))}
      <Select
        label={t('Add a currency')}
        description={t('For customers whose account is in another currency.')}
        searchable
        data={currencies.filter((currency) => !used.has(currency))}
        value={null}
        onChange={(currency) => {
          if (currency !== null) onChange([...prices, { ...pricesOf(undefined), currency }]);
        }}
      />
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}
