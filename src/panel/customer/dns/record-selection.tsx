// Actions for the selected records. Placed below the table, so that selecting the first record does not move the rows.
import { Button, Group, Paper, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Icon } from '../../shell/icons.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { recordCountText } from './record-count.ts';
import { DeleteRecordsDialog } from './delete-records-dialog.tsx';
import { isEssential, deletionBlockedReason } from './record-order.ts';

/** Limit of the API. */
const maxRecordsPerCall = 1000;

export interface RecordSelectionProps {
  readonly zone: Zone;
  readonly selected: readonly ZoneRecord[];
  /** The records that match the filter. */
  readonly visible: readonly ZoneRecord[];
  readonly nameServers: readonly ZoneRecord[];
  readonly select: (ids: ReadonlySet<string>) => void;
}

export function RecordSelection({ zone, selected, visible, nameServers, select }: RecordSelectionProps): JSX.Element {
  const [isConfirming, setConfirming] = useState(false);
  // The SOA and NS records of the zone are never part of "select all".
  const selectable = visible.filter((record) => !isEssential(zone.name, record));
  const tooMany =
    selected.length > maxRecordsPerCall
      ? t('At most {records} can be deleted at once.', { records: recordCountText(maxRecordsPerCall) })
      : undefined;
  return (
    <Paper
      withBorder
      px="sm"
      py={6}
      component="section"
      aria-label={t('Selected records')}
      style={{ position: 'sticky', bottom: 8, zIndex: 3 }}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} className="numbers" role="status" style={{ flex: '1 1 auto' }}>
          {t('{records} selected', { records: recordCountText(selected.length) })}
        </Text>
        {selected.length < selectable.length && (
          <Button size="compact-sm" variant="subtle" onClick={() => select(new Set(selectable.map(({ id }) => id)))}>
            {t('Select all {count} matching', { count: formatNumber(selectable.length) })}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => select(new Set())}>
          {t('Clear selection')}
        </Button>
        <ActionButton
          size="compact-sm"
          color="red"
          variant="light"
          leftSection={<Icon name="trash" size={14} />}
          disabledReason={deletionBlockedReason(zone.name, nameServers, selected) ?? tooMany}
          onClick={() => setConfirming(true)}
        >
          {t('Delete {records}', { records: recordCountText(selected.length) })}
        </ActionButton>
      </Group>
      <DeleteRecordsDialog
        zone={zone}
        records={isConfirming ? selected : []}
        close={() => setConfirming(false)}
        onDone={() => select(new Set())}
      />
    </Paper>
  );
}
