// One record in the table. Its content and its time to live open where they stand: Enter keeps what was typed, Esc does not, Tab
// goes from one to the other. What the interface says against it stands below its cell.
import { Textarea, TextInput } from '@mantine/core';
import { KeepOrStopButtons, keepOrStopByKey, type KeepOrStop } from '../../parts/keep-or-stop.tsx';
import { memo, useState, type JSX, type KeyboardEvent } from 'react';
import type { ZoneRecord } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import styles from '../../parts/in-place.module.css';
import { VirtualCell } from '../../parts/virtual-table.tsx';
import { Icon } from '../../shell/icons.tsx';
import { shortName } from './record-names.ts';

export type EditedCell = 'content' | 'ttl';

export interface RecordRowProps {
  readonly zone: string;
  readonly record: ZoneRecord;
  /** Why nothing can be changed; undefined where it can. */
  readonly readOnly: string | undefined;
  /** Why it cannot be deleted. */
  readonly kept: string | undefined;
  readonly isPicked: boolean;
  readonly edited: EditedCell | undefined;
  /** The cell that was edited a moment ago, where the focus goes back to. */
  readonly left: EditedCell | undefined;
  readonly onEdit: (id: string, cell: EditedCell | undefined) => void;
  readonly onPick: (id: string) => void;
  readonly onDelete: (record: ZoneRecord) => void;
}

export const RecordRow = memo(function RecordRow(props: RecordRowProps): JSX.Element {
  const { zone, record } = props;
  const name = shortName(zone, record.name);
  return (
    <>
      <Pick {...props} name={name} />
      <VirtualCell at="name" className={styles['name']} title={record.name}>
        {name}
      </VirtualCell>
      <VirtualCell at="type" className={styles['type']}>
        {record.type}
      </VirtualCell>
      {props.edited === undefined ? (
        <Shown {...props} name={name} />
      ) : (
        <Edited {...props} name={name} first={props.edited} />
      )}
    </>
  );
});

function Pick({ record, name, readOnly, kept, isPicked, onPick }: RecordRowProps & { name: string }): JSX.Element {
  const reason = readOnly ?? kept;
  return (
    <VirtualCell at="pick">
      <input
        type="checkbox"
        className={styles['pick']}
        aria-label={`Pick ${name} ${record.type} ${record.content}`}
        checked={isPicked}
        onChange={() => onPick(record.id)}
        {...(reason === undefined ? {} : { disabled: true, title: reason })}
      />
    </VirtualCell>
  );
}

function Shown({
  record,
  name,
  readOnly,
  kept,
  left,
  onEdit,
  onDelete,
}: RecordRowProps & { name: string }): JSX.Element {
  const value = (cell: EditedCell, label: string, className?: string): JSX.Element => {
    const classes = [styles['value'], className].filter(Boolean).join(' ');
    if (readOnly !== undefined) return <span className={classes}>{record[cell]}</span>;
    return (
      <button
        type="button"
        ref={left === cell ? focusOn : undefined}
        className={classes}
        aria-label={`${label} of ${name} ${record.type}: ${record[cell]}. Edit`}
        onClick={() => onEdit(record.id, cell)}
      >
        {record[cell]}
      </button>
    );
  };
  const reason = readOnly ?? kept;
  return (
    <>
      <VirtualCell at="content" className={styles['fromLeft']} title={record.content}>
        {value('content', 'Content')}
      </VirtualCell>
      <VirtualCell at="ttl" className={styles['fromRight']}>
        {value('ttl', 'TTL', styles['number'])}
      </VirtualCell>
      <VirtualCell at="actions">
        <div className={styles['actions']}>
          <button
            type="button"
            className={styles['small']}
            aria-label={`Delete ${name} ${record.type} ${record.content}`}
            {...(reason === undefined
              ? { onClick: () => onDelete(record) }
              : { 'aria-disabled': true, 'aria-description': reason, title: reason })}
          >
            <Icon name="trash" size={16} />
          </button>
        </div>
      </VirtualCell>
    </>
  );
}

type EditedProps = RecordRowProps & { readonly name: string; readonly first: EditedCell };

function Edited({ record, name, first, onEdit }: EditedProps): JSX.Element {
  const fields = useFields({ content: record.content, ttl: record.ttl });
  const update = useChange('recordUpdate', { changes: ['recordList', 'zoneHistoryGet'] });
  const [focused] = useState(first);
  const stop = (): void => onEdit(record.id, undefined);
  const keep = async (): Promise<void> => {
    const content = fields.values.content.trim();
    const ttl = fields.values.ttl.trim();
    if (content === record.content && ttl === record.ttl) return stop();
    try {
      await update.mutateAsync({
        domain: record.domain_id,
        record: record.id,
        ...(content === record.content ? {} : { content }),
        // As it was typed: what is no number is for the interface to refuse.
        ...(ttl === record.ttl ? {} : { ttl: ttl as unknown as number }),
      });
      stop();
    } catch (error) {
      fields.refuse(error);
    }
  };
  const ending: KeepOrStop = { isPending: update.isPending, keep, stop };
  const onKeyDown = (event: KeyboardEvent): void => keepOrStopByKey(ending, event);
  const common = { size: 'xs', readOnly: update.isPending, onKeyDown } as const;
  return (
    <>
      <VirtualCell at="content" isOpen className={styles['edited']}>
        <Textarea
          {...common}
          {...fields.input('content')}
          ref={focused === 'content' ? selectAll : undefined}
          aria-label={`Content of ${name} ${record.type}`}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          classNames={{ input: styles['input']!, error: styles['error']! }}
        />
        {fields.refusal !== undefined && (
          <div className={styles['error']} role="alert">
            {fields.refusal}
          </div>
        )}
      </VirtualCell>
      <VirtualCell at="ttl" isOpen className={styles['edited']}>
        <TextInput
          {...common}
          {...fields.input('ttl')}
          ref={focused === 'ttl' ? selectAll : undefined}
          aria-label={`TTL of ${name} ${record.type}, in seconds`}
          inputMode="numeric"
          classNames={{ input: styles['numberInput']!, error: styles['error']! }}
        />
      </VirtualCell>
      <VirtualCell at="actions" isOpen>
        <KeepOrStopButtons {...ending} />
      </VirtualCell>
    </>
  );
}

function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
function selectAll(element: HTMLInputElement | HTMLTextAreaElement | null): void {
  if (element === null || document.activeElement === element) return;
  element.focus({ preventScroll: true });
  element.select();
}
