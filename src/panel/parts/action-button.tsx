// Buttons that run an action. A disabled button stays focusable and explains itself; a destructive one asks for confirmation and
// names its target.
import { Button, Group, Modal, Stack, Text, TextInput, Tooltip, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX, type ReactNode } from 'react';
import { ErrorAlert } from './query-result.tsx';

export interface ActionButtonProps extends ButtonProps {
  /** Why the button is disabled; undefined if it is enabled. */
  readonly disabledReason?: string | undefined;
  readonly onClick?: () => void;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly 'aria-label'?: string;
}

/** A disabled button keeps its focus, so that the reason can be read by pointer, keyboard and screen reader. */
export function ActionButton({ disabledReason, onClick, children, ...props }: ActionButtonProps): JSX.Element {
  if (disabledReason === undefined)
    return (
      <Button {...props} {...(onClick === undefined ? {} : { onClick })}>
        {children}
      </Button>
    );
  return (
    <Tooltip label={disabledReason} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...props}
        data-disabled
        aria-disabled="true"
        aria-description={disabledReason}
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tooltip>
  );
}

export interface ConfirmButtonProps extends Omit<ActionButtonProps, 'onClick'> {
  /** Names the target. */
  readonly question: string;
  /** What will be lost and what will not. */
  readonly consequence: ReactNode;
  /** Text to type before an action that cannot be undone. */
  readonly confirmText?: string;
  readonly confirmLabel: string;
  readonly onConfirm: () => Promise<unknown>;
}

export function ConfirmButton({
  question,
  consequence,
  confirmText,
  confirmLabel,
  onConfirm,
  ...props
}: ConfirmButtonProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton {...props} onClick={open} />
      <Modal opened={isOpen} onClose={close} title={question} centered>
        {isOpen && (
          <ConfirmForm
            consequence={consequence}
            confirmText={confirmText}
            confirmLabel={confirmLabel}
            onConfirm={onConfirm}
            close={close}
            colour={props.color ?? 'red'}
          />
        )}
      </Modal>
    </>
  );
}

type ConfirmFormProps = Pick<ConfirmButtonProps, 'consequence' | 'confirmLabel' | 'onConfirm'> & {
  confirmText?: string | undefined;
  close: () => void;
  colour?: NonNullable<ButtonProps['color']>;
};

/** The content of a confirmation dialog. */
export function ConfirmForm({
  consequence,
  confirmText,
  confirmLabel,
  onConfirm,
  close,
  colour = 'red',
}: ConfirmFormProps): JSX.Element {
  const [text, setText] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error>();
  const disabledReason =
    confirmText !== undefined && text !== confirmText ? `Type ${confirmText} to confirm.` : undefined;
  const confirm = async (): Promise<void> => {
    setPending(true);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setPending(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledReason === undefined) void confirm();
      }}
    >
      <Stack>
        <Text size="sm" component="div">
          {consequence}
        </Text>
        {confirmText !== undefined && (
          <TextInput
            label={`Type ${confirmText} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
            autoComplete="off"
          />
        )}
        {error !== undefined && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActionButton type="submit" color={colour} loading={isPending} disabledReason={disabledReason}>
            {confirmLabel}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
