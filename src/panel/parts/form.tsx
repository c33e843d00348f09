// A form: what the interface says against it stands at its fields, what belongs to none of them above the button. It stays filled
// in until it was accepted.
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useRef, useState, type JSX, type ReactNode } from 'react';
import { Act } from './act.tsx';
import type { Fields } from './fields.ts';

export interface FormProps {
  readonly fields: Pick<Fields<object>, 'refuse' | 'refusal'>;
  readonly label: string;
  readonly send: () => Promise<unknown>;
  readonly cancel?: () => void;
  /** Why it cannot be sent; undefined where it can. */
  readonly reason?: string | undefined;
  readonly children: ReactNode;
}

export function Form({ fields, label, send, cancel, reason, children }: FormProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      await send();
    } catch (error) {
      fields.refuse(error);
      // In a long form what is wrong may be out of sight.
      requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) void submit();
      }}
    >
      <Stack>
        {children}
        {fields.refusal !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {fields.refusal}
          </Alert>
        )}
        <Group justify={cancel === undefined ? 'flex-start' : 'flex-end'}>
          {cancel !== undefined && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Act type="submit" loading={isBusy} reason={reason}>
            {label}
          </Act>
        </Group>
      </Stack>
    </form>
  );
}
