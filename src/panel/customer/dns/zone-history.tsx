// The version history of a zone, newest first, with rollback to any version.
import { Badge, Button, Card, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMemo, useState, type JSX } from 'react';
import type { Zone, ZoneVersion } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ConfirmButton } from '../../parts/action-button.tsx';
import { changeLabel } from '../../parts/operation-labels.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { differenceRows, differenceText } from './difference.ts';

/**
 * Labels that differ from the audit log's, because the zone is known here. Operations of staff and of the legacy API
 * have the same name after the dot.
 */
const operationLabels: Readonly<Record<string, string>> = {
  recordCreate: 'Record added',
  zoneRollBack: 'Rolled back',
  reverseSet: 'Reverse DNS and address record changed',
};
const initialVersions = 20;
const maxVersions = 100;

export function ZoneHistory({ zone }: { zone: Zone }): JSX.Element {
  const [limit, setLimit] = useState(initialVersions);
  const history = useRead('zoneHistoryGet', { domain: zone.domain_id, limit });
  return (
    <QueryResult query={history} lines={8}>
      {(versions) => (
        <Stack gap="xs">
          <Dimmed>
            The last {maxVersions} versions are stored. Rolling back creates a new version, which can itself be rolled
            back.
          </Dimmed>
          {versions.map((version, index) => (
            <Version key={version.version} zone={zone} version={version} place={index === 0 ? 'newest' : 'earlier'} />
          ))}
          {versions.length === limit && limit < maxVersions && (
            <Button variant="default" onClick={() => setLimit(maxVersions)}>
              Show older versions
            </Button>
          )}
        </Stack>
      )}
    </QueryResult>
  );
}

const authorTexts: Readonly<Record<ZoneVersion['author']['kind'], (name: string) => string>> = {
  person: (name) => (name === '' ? 'By a deleted contact' : `By ${name}`),
  key: (name) => (name === '' ? 'By a deleted API key' : `By API key “${name}”`),
  tsig: (name) => (name === '' ? 'By a deleted TSIG key' : `By TSIG key “${name}”`),
  staff: (name) => `By ${name} (support)`,
  provider: () => 'By the provider',
  unknown: () => 'Author not recorded',
};

function authorText({ kind, name }: ZoneVersion['author']): string {
  return authorTexts[kind](name);
}

interface VersionProps {
  readonly zone: Zone;
  readonly version: ZoneVersion;
  readonly place: 'newest' | 'earlier';
}

function Version({ zone, version, place }: VersionProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const denial = useScopeDenial()('dns:write');
  const rows = useMemo(() => differenceRows(version), [version]);
  const rollBack = useChange('zoneRollBack', {
    successMessage: `${zone.name} rolled back to version ${version.version}`,
    invalidates: ['recordList', 'zoneHistoryGet'],
  });
  const operation = operationLabels[version.operation.split('.').at(-1)!] ?? changeLabel(version.operation);
  return (
    <Card padding="sm" component="section" aria-label={`Version ${version.version}`}>
      <Group justify="space-between" gap="sm">
        <UnstyledButton onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} style={{ flex: '1 1 240px' }}>
          <Group gap="xs">
            <Text fw={600} size="sm">
              {operation}
            </Text>
            {place === 'newest' && (
              <Badge variant="light" tt="none" color="teal" autoContrast>
                Current
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div" className="numbers">
            <Timestamp at={version.timestamp} /> · {authorText(version.author)} · {differenceText(rows)} · serial{' '}
            {version.serial}
          </Text>
        </UnstyledButton>
        <Group gap="xs">
          <Button variant="subtle" size="xs" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? 'Hide changes' : 'View changes'}
          </Button>
          <ConfirmButton
            variant="default"
            size="xs"
            disabledReason={denial ?? (place === 'newest' ? 'This is the current version.' : undefined)}
            question={`Roll ${zone.name} back to version ${version.version}?`}
            consequence={
              <>
                All records are restored to their state at <Timestamp at={version.timestamp} />. Rolling back creates a
                new version.
              </>
            }
            confirmLabel="Roll back"
            onConfirm={() => rollBack.mutateAsync({ domain: zone.domain_id, version: version.version })}
          >
            Roll back to this version
          </ConfirmButton>
        </Group>
      </Group>
      {isOpen && (
        <Stack mt="sm">
          <DifferenceTable label={`Changes in version ${version.version}`} zone={zone.name} rows={rows} abovePx={480} />
        </Stack>
      )}
    </Card>
  );
}
