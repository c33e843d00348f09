// Chooses the DNS records that a key is limited to.
import { MultiSelect, Select, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import type { JSX } from 'react';
import { recordTypes } from '#contract/shapes/dns.ts';
import { useRead } from '../data/operations.ts';
import type { DnsLimitsValue } from './dns-limits.ts';
import { t } from '../text/text.ts';

const modes = [
  { value: 'all', label: t('All DNS records') },
  { value: 'acme', label: t('Certificates only (ACME challenges)') },
  { value: 'custom', label: t('Certain zones, names or types…') },
] as const;
const several = { value: 'several', label: t('Unchanged (several rules)') } as const;

const descriptions = {
  all: undefined,
  acme: t('Only TXT records named _acme-challenge, for certificate clients such as certbot, lego or acme.sh.'),
  custom: t('The key sees and changes only these records. Leave a field empty to allow all.'),
  several: undefined,
};

export interface DnsLimitsInputProps {
  readonly value: DnsLimitsValue;
  readonly error: string | undefined;
  readonly onChange: (value: DnsLimitsValue) => void;
}

export function DnsLimitsInput({ value, error, onChange }: DnsLimitsInputProps): JSX.Element {
  const { mode } = value;
  const set = (change: Partial<DnsLimitsValue>): void => onChange({ ...value, ...change });
  return (
    <Stack gap="sm">
      <Select
        label={t('Limit to DNS records')}
        description={descriptions[mode]}
        data={mode === 'several' ? [several, ...modes] : modes}
        value={mode}
        allowDeselect={false}
        error={error}
        onChange={(chosen) => set({ mode: chosen as DnsLimitsValue['mode'] })}
      />
      {(mode === 'acme' || mode === 'custom') && (
        <SimpleGrid cols={{ base: 1, sm: mode === 'custom' ? 2 : 1 }}>
          <ZoneSelect value={value.zones} onChange={(zones) => set({ zones })} />
          {mode === 'custom' && (
            <MultiSelect
              label={t('Record types')}
              placeholder={value.types.length === 0 ? t('All types') : undefined}
              data={recordTypes}
              value={[...value.types]}
              searchable
              onChange={(types) => set({ types })}
            />
          )}
        </SimpleGrid>
      )}
      {mode === 'custom' && (
        <TagsInput
          label={t('Names')}
          description={t(
            'Relative to the zone, such as www or @; * is any one label, ** any number of labels. Press Enter after each.',
          )}
          placeholder={value.names.length === 0 ? t('All names') : undefined}
          value={[...value.names]}
          splitChars={[',', ' ', ';']}
          maxTags={100}
          onChange={(names) => set({ names })}
        />
      )}
    </Stack>
  );
}

function ZoneSelect({
  value,
  onChange,
}: {
  readonly value: readonly string[];
  readonly onChange: (zones: string[]) => void;
}): JSX.Element {
  const zones = useRead('zoneList', {});
  // A rule may name a zone that does not exist yet, or no longer.
  const names = new Set([...(zones.data ?? []).map(({ name }) => name), ...value]);
  return (
    <MultiSelect
      label={t('Zones')}
      placeholder={value.length === 0 ? t('All zones') : undefined}
      data={[...names].toSorted()}
      limit={100}
      value={[...value]}
      searchable
      onChange={onChange}
    />
  );
}
