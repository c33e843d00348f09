// Buttons that run an action. A disabled button stays focusable and explains itself; a destructive one asks for
// confirmation and names its target.
import {
  Button,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  Tooltip,
  type ButtonProps,
  type ModalProps,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState, type JSX, type ReactNode } from 'react';
import { Icon, type IconName } from '../shell/icons.tsx';
import { notifyError } from './notify-error.ts';
import { ErrorAlert } from './query-result.tsx';
import { t } from '../text/text.ts';

export interface ActionButtonProps extends ButtonProps {
  /** Why the button is disabled; undefined if it is enabled. */
  readonly disabledReason?: string | undefined;
  readonly icon?: IconName;
  /** Small and without colour, for a row of a table. */
  readonly isInRow?: true;
  readonly onClick?: () => void;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly 'aria-label'?: string;
}

/** A disabled button keeps its focus, so that the reason can be read by pointer, keyboard and screen reader. */
export function ActionButton({ disabledReason, icon, isInRow, onClick, ...rest }: ActionButtonProps): JSX.Element {
  const props = {
    ...(isInRow === true && { size: 'compact-sm', variant: 'default' }),
    ...(icon !== undefined && { leftSection: <Icon name={icon} size={16} /> }),
    ...rest,
  };
  if (disabledReason === undefined) return <Button {...props} {...(onClick === undefined ? {} : { onClick })} />;
  return (
    <Tooltip label={disabledReason} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...props}
        data-disabled
        aria-disabled="true"
        aria-description={disabledReason}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}

export interface Confirmation {
  /** Names the target. */
  readonly question: string;
  /** What will be lost and what will not. */
  readonly consequence: ReactNode;
  /** Text to type before an action that cannot be undone. */
  readonly confirmText?: string | undefined;
  readonly confirmLabel: string;
  /** For an action that is itself a cancellation; “Cancel” by default. */
  readonly dismissLabel?: string | undefined;
  readonly onConfirm: () => Promise<unknown>;
}

export interface ConfirmButtonProps extends Omit<ActionButtonProps, 'onClick' | 'children'>, Confirmation {
  /** The confirm label by default. */
  readonly children?: ReactNode;
}

export function ConfirmButton({
  question,
  consequence,
  confirmText,
  confirmLabel,
  dismissLabel,
  onConfirm,
  children = confirmLabel,
  ...props
}: ConfirmButtonProps): JSX.Element {
  const confirmation = { question, consequence, confirmText, confirmLabel, dismissLabel, onConfirm };
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton {...props} onClick={open}>
        {children}
      </ActionButton>
      <ConfirmDialog confirmation={isOpen ? confirmation : undefined} close={close} color={props.color ?? 'red'} />
    </>
  );
}

/** In a row of a table, for an action that takes something away. */
export function DangerButton(props: ConfirmButtonProps): JSX.Element {
  return <ConfirmButton size="compact-sm" variant="light" color="red" {...props} />;
}

export interface ConfirmDialogProps extends Pick<ModalProps, 'size'> {
  /** Undefined while the dialog is closed. */
  readonly confirmation: Confirmation | undefined;
  readonly close: () => void;
  readonly color?: NonNullable<ButtonProps['color']>;
}

export function ConfirmDialog({ confirmation, size = 'md', ...props }: ConfirmDialogProps): JSX.Element {
  return (
    <Modal
      opened={confirmation !== undefined}
      onClose={props.close}
      title={confirmation?.question}
      size={size}
      centered
    >
      {confirmation !== undefined && <ConfirmForm {...confirmation} {...props} />}
    </Modal>
  );
}

type ConfirmFormProps = Confirmation & Pick<ConfirmDialogProps, 'close' | 'color'>;

function ConfirmForm(props: ConfirmFormProps): JSX.Element {
  const { consequence, confirmText, confirmLabel, onConfirm, close, color = 'red' } = props;
  const { dismissLabel = t('Cancel') } = props;
  const [text, setText] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error>();
  const disabledReason = unconfirmedReason(confirmText, text);
  const element = useRef<HTMLFormElement>(null);
  const confirm = async (): Promise<void> => {
    setPending(true);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      // The dialog may have been closed meanwhile.
      if (element.current === null) notifyError(failure);
      else setError(failure as Error);
    } finally {
      setPending(false);
    }
  };
  return (
    <form
      ref={element}
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
          <TypedConfirmation confirmText={confirmText} text={text} setText={setText} data-autofocus />
        )}
        {error !== undefined && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {dismissLabel}
          </Button>
          <ActionButton type="submit" color={color} loading={isPending} disabledReason={disabledReason}>
            {confirmLabel}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}

export interface TypedConfirmationProps {
  readonly confirmText: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly 'data-autofocus'?: true;
}

export function TypedConfirmation({ confirmText, text, setText, ...props }: TypedConfirmationProps): JSX.Element {
  return (
    <TextInput
      label={t('Type {text} to confirm', { text: confirmText })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      autoComplete="off"
      {...props}
    />
  );
}

/** Returns why the action cannot be confirmed yet, or undefined if it can. */
export function unconfirmedReason(confirmText: string | undefined, text: string): string | undefined {
  return confirmText !== undefined && text !== confirmText
    ? t('Type {text} to confirm.', { text: confirmText })
    : undefined;
}
