// Where the parent zone sends resolvers for a zone, and what to do if that is not here.
import { Alert, Badge, Button, Code, Group, Stack, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import type { Zone, ZoneDelegation } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { t, tData } from '../../text/text.ts';

const labels: Readonly<Record<ZoneDelegation['status'], readonly [label: string, colour: string]>> = {
  ours: [t('Delegated to us'), 'teal'],
  others: [t('Delegated elsewhere'), 'orange'],
  partly: [t('Partly delegated to us'), 'orange'],
  none: [t('Not delegated'), 'orange'],
  unknown: [t('Delegation unknown'), 'gray'],
};

function useDelegation(zone: Zone) {
  return useRead('zoneDelegationGet', { domain: zone.domain_id }, { staysFreshMs: 300_000 });
}

export function DelegationBadge({ zone }: { zone: Zone }): JSX.Element | null {
  const { data } = useDelegation(zone);
  if (data === undefined) return null;
  const [label, colour] = labels[data.status];
  const badge = (
    <Badge color={colour} variant="light" autoContrast>
      {label}
    </Badge>
  );
  return data.reason === '' ? badge : <Tooltip label={tData(data.reason)}>{badge}</Tooltip>;
}

const explanations: Readonly<Record<'others' | 'partly' | 'none', string>> = {
  others: t('The domain uses other name servers, so changes here have no effect yet.'),
  partly: t('Some queries go to other name servers, which may answer differently.'),
  none: t('The domain is not registered, or has no name servers yet. Nobody can see these records.'),
};

export function DelegationAlert({ zone }: { zone: Zone }): JSX.Element | null {
  const { data, isFetching, refetch } = useDelegation(zone);
  if (data === undefined || data.status === 'ours' || data.status === 'unknown') return null;
  return (
    <Alert color="orange" variant="light" title={labels[data.status][0]}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{explanations[data.status]}</Text>
        {data.nameservers.length > 0 && <NameServers label={t('Now')} names={data.nameservers} />}
        <NameServers label={t('Set these at your registrar')} names={data.expected} />
        <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('Check again')}
        </Button>
      </Stack>
    </Alert>
  );
}

function NameServers({ label, names }: { label: string; names: readonly string[] }): JSX.Element {
  return (
    <Group gap={6}>
      <Text size="sm">{label}:</Text>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
}
