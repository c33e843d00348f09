// A zone file, looked at before it counts: first the difference, then the change. The file replaces all records, so that what it
// leaves out shows as removed.
import { Alert, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMemo, useState, type JSX } from 'react';
import { HostyardError, type Zone, type ZoneDifference } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { useFields } from '../../parts/fields.ts';
import { Icon } from '../../shell/icons.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { differenceRows, differenceText } from './difference.ts';

export function ZoneImport({ zone }: { zone: Zone }): JSX.Element {
  const refusal = useRefusal()('dns:write');
  const fields = useFields({ zonefile: '' });
  const [difference, setDifference] = useState<ZoneDifference>();
  const [hasMoved, setMoved] = useState(false);
  const look = useChange('zoneFileImport', { changes: [] });
  const compare = async (): Promise<void> => {
    setDifference(undefined);
    try {
      setDifference(
        await look.mutateAsync({ domain: zone.domain_id, zonefile: fields.values.zonefile, dry_run: true }),
      );
    } catch (error) {
      fields.refuse(error);
    }
  };
  const write = (zonefile: string): void => {
    setDifference(undefined);
    setMoved(false);
    fields.set({ zonefile });
  };
  const { value, error } = fields.input('zonefile');
  return (
    <Stack gap="md">
      <Textarea
        label="Zone file"
        description="In the format of BIND. It replaces all records of the zone; without an SOA in it the zone keeps its own."
        placeholder={`$TTL 3600\n@    IN MX 10 mail\nmail IN A  192.0.2.10`}
        value={value}
        error={error ?? fields.refusal}
        onChange={(event) => write(event.currentTarget.value)}
        rows={difference === undefined ? 14 : 6}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, whiteSpace: 'pre' } }}
      />
      <Group gap="xs">
        <FileButton onChange={(file) => void file?.text().then(write)}>
          {(button) => (
            <Act variant="default" leftSection={<Icon name="upload" size={16} />} {...button}>
              Choose a file
            </Act>
          )}
        </FileButton>
        <Act
          variant={difference === undefined ? 'filled' : 'default'}
          loading={look.isPending}
          reason={refusal ?? (value.trim() === '' ? 'Paste a zone file or choose one first.' : undefined)}
          onClick={() => {
            setMoved(false);
            void compare();
          }}
        >
          Show the difference
        </Act>
      </Group>
      {hasMoved && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="alert">
          Nothing was replaced: somebody changed the zone since you looked. This is the difference to what it is now.
        </Alert>
      )}
      {difference !== undefined && (
        <Compared
          zone={zone}
          zonefile={value}
          difference={difference}
          onDone={() => {
            setDifference(undefined);
            setMoved(false);
            fields.clear();
          }}
          onMoved={() => {
            setMoved(true);
            void compare();
          }}
        />
      )}
    </Stack>
  );
}

interface ComparedProps {
  readonly zone: Zone;
  readonly zonefile: string;
  readonly difference: ZoneDifference;
  readonly onDone: () => void;
  /** The zone is no longer what the difference was worked out against. */
  readonly onMoved: () => void;
}

function Compared({ zone, zonefile, difference, onDone, onMoved }: ComparedProps): JSX.Element {
  const rows = useMemo(() => differenceRows(difference), [difference]);
  const replace = useChange('zoneFileImport', {
    done: `${zone.name} is as the file says.`,
    changes: ['recordList', 'zoneHistoryGet'],
  });
  const act = async (): Promise<void> => {
    try {
      await replace.mutateAsync({ domain: zone.domain_id, zonefile, serial: Number(difference.serial) });
      onDone();
    } catch (error) {
      if (!(error instanceof HostyardError) || error.errors['serial'] === undefined) throw error;
      onMoved();
    }
  };
  if (rows.length === 0)
    return (
      <Alert color="teal" variant="light" icon={<Icon name="check" />} title="No difference" role="status">
        The zone is as the file says already.
      </Alert>
    );
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} role="status">
          The file makes a difference: {differenceText(rows)}
        </Text>
        <AskFirst
          color="red"
          question={`Replace the records of ${zone.name}?`}
          consequence={`By this file: ${differenceText(rows)}. The name servers answer so at once. The history keeps what was there: there you can roll back.`}
          yes="Replace the records"
          act={act}
        >
          Replace the records
        </AskFirst>
      </Group>
      <DifferenceTable label={`What the file changes in ${zone.name}`} zone={zone.name} rows={rows} abovePx={520} />
    </Stack>
  );
}
