// Buttons that act. One that cannot act stays where it is and says why; one that destroys asks first and names the thing.
import { Button, Group, Modal, Stack, Text, TextInput, Tooltip, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX, type ReactNode } from 'react';
import { Failed } from './answer.tsx';

export interface ActProps extends ButtonProps {
  /** Why it cannot act now; undefined where it can. */
  readonly reason?: string | undefined;
  readonly onClick?: () => void;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly 'aria-label'?: string;
}

/** A reason can be read by pointer, by keyboard and by a screen reader: the button keeps its focus. */
export function Act({ reason, onClick, children, ...props }: ActProps): JSX.Element {
  if (reason === undefined)
    return (
      <Button {...props} {...(onClick === undefined ? {} : { onClick })}>
        {children}
      </Button>
    );
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...props}
        data-disabled
        aria-disabled="true"
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tooltip>
  );
}

export interface AskProps extends Omit<ActProps, 'onClick'> {
  /** The question, with the name of the thing in it. */
  readonly question: string;
  /** What will be lost, and what not. */
  readonly consequence: ReactNode;
  /** What must be typed where nothing brings it back. */
  readonly typed?: string;
  readonly yes: string;
  readonly act: () => Promise<unknown>;
}

export function AskFirst({ question, consequence, typed, yes, act, ...props }: AskProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Act {...props} onClick={open} />
      <Modal opened={isOpen} onClose={close} title={question} centered>
        {isOpen && (
          <Question
            consequence={consequence}
            typed={typed}
            yes={yes}
            act={act}
            close={close}
            colour={props.color ?? 'red'}
          />
        )}
      </Modal>
    </>
  );
}

type QuestionProps = Pick<AskProps, 'consequence' | 'yes' | 'act'> & {
  typed?: string | undefined;
  close: () => void;
  colour?: NonNullable<ButtonProps['color']>;
};

/** What stands in a dialogue before something is destroyed. */
export function Question({ consequence, typed, yes, act, close, colour = 'red' }: QuestionProps): JSX.Element {
  const [text, setText] = useState('');
  const [isActing, setActing] = useState(false);
  const [error, setError] = useState<Error>();
  const reason = typed !== undefined && text !== typed ? `Type ${typed} first.` : undefined;
  const go = async (): Promise<void> => {
    setActing(true);
    try {
      await act();
      close();
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setActing(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) void go();
      }}
    >
      <Stack>
        <Text size="sm" component="div">
          {consequence}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
            autoComplete="off"
          />
        )}
        {error !== undefined && <Failed error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Act type="submit" color={colour} loading={isActing} reason={reason}>
            {yes}
          </Act>
        </Group>
      </Stack>
    </form>
  );
}
