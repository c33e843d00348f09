// The version history of a zone, newest first, with rollback to any version.
import { Badge, Button, Card, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMemo, useState, type JSX } from 'react';
import type { Zone, ZoneVersion } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { changeLabel } from '#text/operation-labels.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import { DifferenceTable } from './difference-table.tsx';
import { differenceRows, differenceText } from './difference.ts';

/**
 * Labels that differ from the audit log's, because the zone is known here. Operations of staff and of the legacy API
 * have the same name after the dot.
 */
const operationLabels: Readonly<Record<string, string>> = {
  recordCreate: t('Record added'),
  zoneRollBack: t('Rolled back'),
  reverseSet: t('Reverse DNS and address record changed'),
};
const initialVersions = 20;
const maxVersions = 100;

export function ZoneHistory({ zone }: { zone: Zone }): JSX.Element {
  const [limit, setLimit] = useState(initialVersions);
  const history = useRead('zoneHistoryGet', { domain: zone.domain_id, limit }, { keepsPrevious: true });
  return (
    <QueryResult query={history} lines={8}>
      {(versions) => (
        <Stack gap="xs">
          <Dimmed>
            {t(
              'The last {count} versions are stored. Rolling back creates a new version, which can itself be rolled back.',
              { count: maxVersions },
            )}
          </Dimmed>
          {versions.map((version, index) => (
            <Version key={version.version} zone={zone} version={version} place={index === 0 ? 'newest' : 'earlier'} />
          ))}
          {versions.length === limit && limit < maxVersions && (
            <Button variant="default" onClick={() => setLimit(maxVersions)}>
              {t('Show older versions')}
            </Button>
          )}
        </Stack>
      )}
    </QueryResult>
  );
}

const authorTexts: Readonly<Record<ZoneVersion['author']['kind'], (name: string) => string>> = {
  person: (name) => (name === '' ? t('By a deleted contact') : t('By {name}', { name })),
  key: (name) => (name === '' ? t('By a deleted API key') : t('By API key “{name}”', { name })),
  tsig: (name) => (name === '' ? t('By a deleted TSIG key') : t('By TSIG key “{name}”', { name })),
  staff: (name) => t('By {name} (support)', { name }),
  provider: () => t('By the provider'),
  unknown: () => t('Author not recorded'),
};

interface VersionProps {
  readonly zone: Zone;
  readonly version: ZoneVersion;
  readonly place: 'newest' | 'earlier';
}

function Version({ zone, version, place }: VersionProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const denial = useScopeDenial()('dns:write');
  const { author } = version;
  const rows = useMemo(() => differenceRows(version), [version]);
  const rollBack = useChange('zoneRollBack', {
    successMessage: t('{name} rolled back to version {version}', { name: zone.name, version: version.version }),
    invalidates: ['recordList', 'zoneHistoryGet'],
  });
  const operation = operationLabels[version.operation.split('.').at(-1)!] ?? changeLabel(version.operation);
  return (
    <Card padding="sm" component="section" aria-label={t('Version {version}', { version: version.version })}>
      <Group justify="space-between" gap="sm">
        <UnstyledButton onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} style={{ flex: '1 1 240px' }}>
          <Group gap="xs">
            <Text fw={600} size="sm">
              {operation}
            </Text>
            {place === 'newest' && (
              <Badge variant="light" color="teal" autoContrast>
                {t('Current@@version')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div" className="numbers">
            <Timestamp at={version.timestamp} /> · {authorTexts[author.kind](author.name)} · {differenceText(rows)} ·{' '}
            {t('serial {serial}', { serial: version.serial })}
          </Text>
        </UnstyledButton>
        <Group gap="xs">
          <Button variant="subtle" size="xs" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? t('Hide changes') : t('View changes')}
          </Button>
          <ConfirmButton
            variant="default"
            size="xs"
            disabledReason={denial ?? (place === 'newest' ? t('This is the current version.') : undefined)}
            question={t('Roll {name} back to version {version}?', { name: zone.name, version: version.version })}
            consequence={
              <>
                {rich('All records are restored to their state at {time}. Rolling back creates a new version.', {
                  time: <Timestamp at={version.timestamp} />,
                })}
              </>
            }
            confirmLabel={t('Roll back')}
            onConfirm={() => rollBack.mutateAsync({ domain: zone.domain_id, version: version.version })}
          >
            {t('Roll back to this version')}
          </ConfirmButton>
        </Group>
      </Group>
      {isOpen && (
        <Stack mt="sm">
          <DifferenceTable
            label={t('Changes in version {version}', { version: version.version })}
            zone={zone.name}
            rows={rows}
            abovePx={480}
          />
        </Stack>
      )}
    </Card>
  );
}
