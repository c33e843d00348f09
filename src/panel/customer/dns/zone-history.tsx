// What happened to a zone, newest first, and the way back to any of it.
import { Badge, Button, Card, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMemo, useState, type JSX } from 'react';
import type { Zone, ZoneVersion } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { AskFirst } from '../../parts/act.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { differenceRows, differenceText } from './difference.ts';

/** An operation as the audit log has it, in words; one of staff or of the legacy interface has the same end. */
const operations: Readonly<Record<string, string>> = {
  zoneCreate: 'Zone added',
  recordCreate: 'Record added',
  recordUpdate: 'Record changed',
  recordDelete: 'Record deleted',
  recordDeleteMany: 'Records deleted',
  zoneFileImport: 'Zone file imported',
  zoneRollBack: 'Rolled back',
  reverseSet: 'Reverse name with its address record',
};
const firstShown = 20;
const mostKept = 100;

export function ZoneHistory({ zone }: { zone: Zone }): JSX.Element {
  const [limit, setLimit] = useState(firstShown);
  const history = useRead('zoneHistoryGet', { domain: zone.domain_id, limit });
  return (
    <Answer of={history} lines={8}>
      {(versions) => (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            The last {mostKept} versions are kept. To roll back makes a new version, which can be rolled back too.
          </Text>
          {versions.map((version, index) => (
            <Version key={version.version} zone={zone} version={version} place={index === 0 ? 'newest' : 'earlier'} />
          ))}
          {versions.length === limit && limit < mostKept && (
            <Button variant="default" onClick={() => setLimit(mostKept)}>
              Show older versions
            </Button>
          )}
        </Stack>
      )}
    </Answer>
  );
}

interface VersionProps {
  readonly zone: Zone;
  readonly version: ZoneVersion;
  readonly place: 'newest' | 'earlier';
}

function Version({ zone, version, place }: VersionProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal()('dns:write');
  const rows = useMemo(() => differenceRows(version), [version]);
  const rollBack = useChange('zoneRollBack', {
    done: `${zone.name} is as it was in version ${version.version}.`,
    changes: ['recordList', 'zoneHistoryGet'],
  });
  const operation = operations[version.operation.split('.').at(-1)!] ?? version.operation;
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
                current
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div" className="numbers">
            <Moment at={version.timestamp} /> · {differenceText(rows)} · serial {version.serial}
          </Text>
        </UnstyledButton>
        <Group gap="xs">
          <Button variant="subtle" size="xs" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? 'Hide the change' : 'Show the change'}
          </Button>
          <AskFirst
            variant="default"
            size="xs"
            reason={refusal ?? (place === 'newest' ? 'The zone is in this version now.' : undefined)}
            question={`Roll ${zone.name} back to version ${version.version}?`}
            consequence={
              <>
                Its records become what they were on <Moment at={version.timestamp} />, after “{operation.toLowerCase()}
                ”. Later changes are taken back; that is a new version itself, from which you can return.
              </>
            }
            yes="Roll back"
            act={() => rollBack.mutateAsync({ domain: zone.domain_id, version: version.version })}
          >
            Roll back to this
          </AskFirst>
        </Group>
      </Group>
      {isOpen && (
        <Stack mt="sm">
          <DifferenceTable
            label={`What version ${version.version} changed`}
            zone={zone.name}
            rows={rows}
            abovePx={480}
          />
        </Stack>
      )}
    </Card>
  );
}
