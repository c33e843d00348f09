// An address and its reverse DNS name. Enter saves an edit, Esc cancels it.
import { Checkbox, TextInput } from '@mantine/core';
import { DeleteIconButton, InlineEditButtons, handleInlineEditKey, type InlineEdit } from './inline-edit.tsx';
import { memo, useState, type JSX, type KeyboardEvent } from 'react';
import { useChange } from '../data/operations.ts';
import { useFormFields } from './form-fields.ts';
import styles from './inline-edit.module.css';
import { VirtualCell } from './virtual-table.tsx';
import { t } from '../text/text.ts';

export interface PtrRecord {
  readonly ip: string;
  /** Empty if not set. */
  readonly name: string;
}

export interface ReverseDnsRowProps {
  readonly row: PtrRecord;
  /** Why the name cannot be edited; undefined if it can. */
  readonly readOnly: string | undefined;
  readonly editing: 'editing' | 'closed' | undefined;
  readonly onEdit: (ip: string, state: 'editing' | 'closed') => void;
  readonly onRemove: (row: PtrRecord) => void;
}

export const ReverseDnsRow = memo(function ReverseDnsRow(props: ReverseDnsRowProps): JSX.Element {
  return (
    <>
      <VirtualCell className={styles['name']} title={props.row.ip}>
        {props.row.ip}
      </VirtualCell>
      {props.editing === 'editing' ? <EditCells {...props} /> : <StaticCells {...props} />}
    </>
  );
});

function StaticCells({ row, readOnly, editing, onEdit, onRemove }: ReverseDnsRowProps): JSX.Element {
  const { ip, name } = row;
  const text = name === '' ? <span className={styles['none']}>{t('Not set')}</span> : name;
  return (
    <>
      <VirtualCell className={styles['fromLeft']} title={name}>
        {readOnly === undefined ? (
          <button
            type="button"
            className={styles['value']}
            ref={editing === 'closed' ? (element) => element?.focus({ preventScroll: true }) : undefined}
            aria-label={t('Reverse DNS of {ip}: {name}. Edit', { ip, name: name === '' ? t('not set') : name })}
            onClick={() => onEdit(ip, 'editing')}
          >
            {text}
          </button>
        ) : (
          <span className={styles['value']} title={readOnly}>
            {text}
          </span>
        )}
      </VirtualCell>
      <VirtualCell>
        <div className={styles['actions']}>
          {name !== '' && readOnly === undefined && (
            <DeleteIconButton label={t('Remove the reverse DNS of {ip}', { ip })} onClick={() => onRemove(row)} />
          )}
        </div>
      </VirtualCell>
    </>
  );
}

function EditCells({ row: { ip, name }, onEdit }: ReverseDnsRowProps): JSX.Element {
  const fields = useFormFields({ record: name });
  const [isForward, setForward] = useState(false);
  const set = useChange('reverseSet', { invalidates: ['reverseList', 'netblockList', 'recordList'] });
  const cancel = (): void => onEdit(ip, 'closed');
  const save = async (): Promise<void> => {
    const record = fields.values.record.trim();
    if (record === name && !isForward) return cancel();
    try {
      await set.mutateAsync({ ip, record, ...(isForward ? { forward: true } : {}) });
      cancel();
    } catch (error) {
      fields.showError(error);
    }
  };
  const inlineEdit: InlineEdit = { isPending: set.isPending, save, cancel };
  const onKeyDown = (event: KeyboardEvent): void => handleInlineEditKey(inlineEdit, event);
  const { error, ...input } = fields.input('record');
  return (
    <>
      <VirtualCell isMultiline className={styles['edited']}>
        <TextInput
          {...input}
          error={error ?? fields.formError}
          size="xs"
          data-autofocus
          autoFocus
          readOnly={set.isPending}
          onKeyDown={onKeyDown}
          aria-label={t('Reverse DNS of {ip}', { ip })}
          placeholder="server.example.net"
          spellCheck={false}
          classNames={{ input: styles['input']!, error: styles['error']! }}
        />
        <Checkbox
          mt={6}
          size="xs"
          label={t('Also create the {type} record in your zone', { type: ip.includes(':') ? 'AAAA' : 'A' })}
          checked={isForward}
          onChange={(event) => setForward(event.currentTarget.checked)}
          onKeyDown={onKeyDown}
        />
      </VirtualCell>
      <VirtualCell isMultiline>
        <InlineEditButtons {...inlineEdit} />
      </VirtualCell>
    </>
  );
}
