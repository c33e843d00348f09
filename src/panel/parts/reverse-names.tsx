// The reverse names of addresses, edited where they stand: of one service, or of all. IPv4 addresses are all listed; of IPv6 there
// are too many, so those with a name are, and any other can be named.
import { Group, Modal, Stack, Text } from '@mantine/core';
import { FindBox } from './find-box.tsx';
import { useCallback, useMemo, useState, type JSX } from 'react';
import type { AddressNames } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Icon } from '../shell/icons.tsx';
import { Act, Question } from './act.tsx';
import { Answer, Empty } from './answer.tsx';
import { ReverseNew } from './reverse-new.tsx';
import { ReverseRow, type ReverseName } from './reverse-row.tsx';
import { VirtualTable, type VirtualColumn } from './virtual-table.tsx';

const columns = [
  { key: 'ip', label: 'Address', width: 'minmax(150px, 1fr)' },
  { key: 'name', label: 'Reverse name', width: 'minmax(220px, 2fr)' },
  { key: 'actions', label: '', width: '76px' },
] as const satisfies readonly VirtualColumn<string>[];
const phone = { columns: 'minmax(0, 1fr) auto', areas: '"ip actions" "name name"' };
const rowHeightPx = { desk: 40, phone: 74 };
const ipOf = ({ ip }: ReverseName): string => ip;
/** What the interface writes where there is no name. */
const noName = 'No Record Found';
/** A list that is taken in at a glance needs no filter. */
const fewAddresses = 10;

export interface ReverseNamesProps {
  /** All services unless given. */
  readonly service?: string | number | undefined;
  /** What is above the table on its page. */
  readonly abovePx?: number;
}

export function ReverseNames({ service, abovePx = 330 }: ReverseNamesProps): JSX.Element {
  const names = useRead('reverseList', service === undefined ? {} : { service });
  return (
    <Answer of={names} lines={5}>
      {(found) => <Listed names={found} abovePx={abovePx} />}
    </Answer>
  );
}

interface Editing {
  readonly ip: string;
  readonly state: 'open' | 'left';
}

function Listed({ names, abovePx }: { names: AddressNames; abovePx: number }): JSX.Element {
  const readOnly = useRefusal()('dns:write');
  const [text, setText] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [editing, setEditing] = useState<Editing>();
  const [leaving, setLeaving] = useState<ReverseName>();
  const all = useMemo(
    () => Object.entries(names).map(([ip, name]) => ({ ip, name: name === noName ? '' : name })),
    [names],
  );
  const rows = useMemo(() => {
    const sought = text.trim().toLowerCase();
    return sought === '' ? all : all.filter(({ ip, name }) => `${ip} ${name}`.includes(sought));
  }, [all, text]);
  const edit = useCallback((ip: string, state: 'open' | 'left'): void => setEditing({ ip, state }), []);
  const remove = useChange('reverseDelete', {
    done: 'Reverse name removed.',
    changes: ['reverseList', 'netblockList'],
  });
  if (all.length === 0) return <Empty icon="address" title="No addresses yet" />;
  return (
    <Stack gap="sm">
      <Group gap="xs" justify="space-between">
        {all.length > fewAddresses ? (
          <FindBox label="Filter addresses" placeholder="Filter by address or name…" text={text} onChange={setText} />
        ) : (
          <Text size="sm" c="dimmed" className="numbers">
            {all.length === 1 ? '1 address' : `${all.length} addresses`}
          </Text>
        )}
        <Act
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          reason={readOnly}
          onClick={() => setAdding(true)}
        >
          Name an IPv6 address
        </Act>
      </Group>
      <VirtualTable
        label="Reverse names"
        columns={columns}
        phone={phone}
        rowHeightPx={rowHeightPx}
        rows={rows}
        rowKey={ipOf}
        kept={editing?.state === 'open' ? editing.ip : undefined}
        abovePx={abovePx}
        whenEmpty="No address matches."
      >
        {(row) => (
          <ReverseRow
            row={row}
            readOnly={readOnly}
            editing={editing?.ip === row.ip ? editing.state : undefined}
            onEdit={edit}
            onRemove={setLeaving}
          />
        )}
      </VirtualTable>
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Name an IPv6 address" centered>
        <ReverseNew close={() => setAdding(false)} />
      </Modal>
      <Modal
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Remove the reverse name of ${leaving?.ip}?`}
        centered
      >
        {leaving !== undefined && (
          <Question
            consequence={`The address is called ${leaving.name} no more. Mail servers often refuse mail from an address without a reverse name.`}
            yes="Remove the name"
            act={() => remove.mutateAsync({ ip: leaving.ip })}
            close={() => setLeaving(undefined)}
          />
        )}
      </Modal>
    </Stack>
  );
}
