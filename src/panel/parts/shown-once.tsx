// A secret that is shown this once, with a way to take it along.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Icon } from '../shell/icons.tsx';

export interface ShownOnceProps {
  readonly label: string;
  readonly secret: string;
  readonly children?: ReactNode;
  readonly onDone: () => void;
}

export function ShownOnce({ label, secret, children, onDone }: ShownOnceProps): JSX.Element {
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
        Copy it now. It is shown this once.
      </Alert>
      <Secret label={label} secret={secret} />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have it</Button>
      </Group>
    </Stack>
  );
}

export interface ShownOnceDialogueProps extends ShownOnceProps {
  readonly title: string;
}

/** Open while there is a secret; no click beside it closes it. */
export function ShownOnceDialogue({ title, ...shown }: ShownOnceDialogueProps): JSX.Element {
  const { secret, onDone } = shown;
  return (
    <Modal opened={secret !== ''} onClose={onDone} title={title} closeOnClickOutside={false} centered>
      {secret !== '' && <ShownOnce {...shown} />}
    </Modal>
  );
}

export function Secret({ label, secret }: { label: string; secret: string }): JSX.Element {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code
          block
          className="wrap-anywhere"
          flex={1}
          style={{ whiteSpace: 'pre-wrap' }}
          aria-label={label}
          role="group"
        >
          {secret}
        </Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}
