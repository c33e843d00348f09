// What can be done with the records that were picked from the table: below it, so that no row moves away from who picks the next.
import { Button, Group, Paper, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { Act } from '../../parts/act.tsx';
import { Icon } from '../../shell/icons.tsx';
import { recordCount } from './record-count.ts';
import { RecordDelete } from './record-delete.tsx';
import { isOfTheZone, keptBecause } from './record-order.ts';

/** As many as one call takes. */
const mostAtOnce = 1000;

export interface RecordPicksProps {
  readonly zone: Zone;
  readonly picked: readonly ZoneRecord[];
  /** What the filter shows. */
  readonly shown: readonly ZoneRecord[];
  readonly nameServers: readonly ZoneRecord[];
  readonly pick: (ids: ReadonlySet<string>) => void;
}

export function RecordPicks({ zone, picked, shown, nameServers, pick }: RecordPicksProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  // What the zone itself stands on is picked one by one, by who means it.
  const rest = shown.filter((record) => !isOfTheZone(zone.name, record));
  const tooMany = picked.length > mostAtOnce ? `At most ${recordCount(mostAtOnce)} go at once.` : undefined;
  return (
    <Paper
      withBorder
      px="sm"
      py={6}
      component="section"
      aria-label="Picked records"
      style={{ position: 'sticky', bottom: 8, zIndex: 3 }}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} className="numbers" role="status" style={{ flex: '1 1 auto' }}>
          {recordCount(picked.length)} picked
        </Text>
        {picked.length < rest.length && (
          <Button size="compact-sm" variant="subtle" onClick={() => pick(new Set(rest.map(({ id }) => id)))}>
            Pick all {rest.length.toLocaleString('en-GB')} shown
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => pick(new Set())}>
          Pick none
        </Button>
        <Act
          size="compact-sm"
          color="red"
          variant="light"
          leftSection={<Icon name="trash" size={14} />}
          reason={keptBecause(zone.name, nameServers, picked) ?? tooMany}
          onClick={() => setAsking(true)}
        >
          Delete {recordCount(picked.length)}
        </Act>
      </Group>
      <RecordDelete
        zone={zone}
        records={isAsking ? picked : []}
        close={() => setAsking(false)}
        onDone={() => pick(new Set())}
      />
    </Paper>
  );
}
