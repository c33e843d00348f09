// One address and its reverse name. Enter keeps what was typed, Esc does not.
import { Checkbox, TextInput } from '@mantine/core';
import { KeepOrStopButtons, keepOrStopByKey, type KeepOrStop } from './keep-or-stop.tsx';
import { memo, useState, type JSX, type KeyboardEvent } from 'react';
import { useChange } from '../data/read.ts';
import { Icon } from '../shell/icons.tsx';
import { useFields } from './fields.ts';
import styles from './in-place.module.css';
import { VirtualCell } from './virtual-table.tsx';

export interface ReverseName {
  readonly ip: string;
  /** Empty where there is none. */
  readonly name: string;
}

export interface ReverseRowProps {
  readonly row: ReverseName;
  /** Why nothing can be changed; undefined where it can. */
  readonly readOnly: string | undefined;
  readonly editing: 'open' | 'left' | undefined;
  readonly onEdit: (ip: string, state: 'open' | 'left') => void;
  readonly onRemove: (row: ReverseName) => void;
}

export const ReverseRow = memo(function ReverseRow(props: ReverseRowProps): JSX.Element {
  return (
    <>
      <VirtualCell at="ip" className={styles['name']} title={props.row.ip}>
        {props.row.ip}
      </VirtualCell>
      {props.editing === 'open' ? <Edited {...props} /> : <Shown {...props} />}
    </>
  );
});

function Shown({ row, readOnly, editing, onEdit, onRemove }: ReverseRowProps): JSX.Element {
  const { ip, name } = row;
  const text = name === '' ? <span className={styles['none']}>no name</span> : name;
  return (
    <>
      <VirtualCell at="name" className={styles['fromLeft']} title={name}>
        {readOnly === undefined ? (
          <button
            type="button"
            className={styles['value']}
            ref={editing === 'left' ? (element) => element?.focus({ preventScroll: true }) : undefined}
            aria-label={`Reverse name of ${ip}: ${name === '' ? 'no name' : name}. Edit`}
            onClick={() => onEdit(ip, 'open')}
          >
            {text}
          </button>
        ) : (
          <span className={styles['value']}>{text}</span>
        )}
      </VirtualCell>
      <VirtualCell at="actions">
        <div className={styles['actions']}>
          {name !== '' && readOnly === undefined && (
            <button
              type="button"
              className={styles['small']}
              aria-label={`Remove the reverse name of ${ip}`}
              onClick={() => onRemove(row)}
            >
              <Icon name="trash" size={16} />
            </button>
          )}
        </div>
      </VirtualCell>
    </>
  );
}

function Edited({ row: { ip, name }, onEdit }: ReverseRowProps): JSX.Element {
  const fields = useFields({ record: name });
  const [isForward, setForward] = useState(false);
  const set = useChange('reverseSet', { changes: ['reverseList', 'netblockList', 'recordList'] });
  const stop = (): void => onEdit(ip, 'left');
  const keep = async (): Promise<void> => {
    const record = fields.values.record.trim();
    if (record === name && !isForward) return stop();
    try {
      await set.mutateAsync({ ip, record, ...(isForward ? { forward: true } : {}) });
      stop();
    } catch (error) {
      fields.refuse(error);
    }
  };
  const ending: KeepOrStop = { isPending: set.isPending, keep, stop };
  const onKeyDown = (event: KeyboardEvent): void => keepOrStopByKey(ending, event);
  const { error, ...input } = fields.input('record');
  return (
    <>
      <VirtualCell at="name" isOpen className={styles['edited']}>
        <TextInput
          {...input}
          error={error ?? fields.refusal}
          size="xs"
          data-autofocus
          autoFocus
          readOnly={set.isPending}
          onKeyDown={onKeyDown}
          aria-label={`Reverse name of ${ip}`}
          placeholder="server.example.net"
          spellCheck={false}
          classNames={{ input: styles['input']!, error: styles['error']! }}
        />
        <Checkbox
          mt={6}
          size="xs"
          label={`Also make the ${ip.includes(':') ? 'AAAA' : 'A'} record of this name, in your own zone`}
          checked={isForward}
          onChange={(event) => setForward(event.currentTarget.checked)}
          onKeyDown={onKeyDown}
        />
      </VirtualCell>
      <VirtualCell at="actions" isOpen>
        <KeepOrStopButtons {...ending} />
      </VirtualCell>
    </>
  );
}
