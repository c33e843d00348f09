// A form. API errors appear at their fields, others above the button, and the values stay until the request succeeds.
import { Alert, Button, Group, Stack, type ButtonProps } from '@mantine/core';
import { useRef, useState, type JSX, type ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';
import type { FormFields } from './form-fields.ts';
import { notifyError } from './notify-error.ts';
import { t } from '../text/text.ts';

export interface FormProps {
  readonly fields: Pick<FormFields<object>, 'showError' | 'formError'>;
  readonly submitLabel: string;
  readonly onSubmit: () => Promise<unknown>;
  /** Closes the form when it is cancelled, and once the request has succeeded. */
  readonly close?: (() => void) | undefined;
  /** For a form that stays open after the request. */
  readonly onCancel?: () => void;
  /** “Cancel” by default. */
  readonly cancelLabel?: string | undefined;
  /** Of the button that submits. */
  readonly color?: NonNullable<ButtonProps['color']>;
  /** Why the form cannot be submitted; undefined if it can. */
  readonly disabledReason?: string | undefined;
  readonly children: ReactNode;
}

export function Form(props: FormProps): JSX.Element {
  const { fields, submitLabel, onSubmit, close, onCancel = close, disabledReason, children } = props;
  const { cancelLabel = t('Cancel'), color } = props;
  const [isPending, setPending] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const submit = async (): Promise<void> => {
    setPending(true);
    try {
      await onSubmit();
      fields.showError(undefined);
      close?.();
    } catch (error) {
      // The dialog may have been closed meanwhile.
      if (element.current === null) return notifyError(error);
      fields.showError(error);
      // In a long form the invalid field may be out of view.
      requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    } finally {
      setPending(false);
    }
  };
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledReason === undefined) void submit();
      }}
    >
      <Stack>
        {children}
        {fields.formError !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {fields.formError}
          </Alert>
        )}
        <Group justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {cancelLabel}
            </Button>
          )}
          <ActionButton
            type="submit"
            {...(color !== undefined && { color })}
            loading={isPending}
            disabledReason={disabledReason}
          >
            {submitLabel}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
