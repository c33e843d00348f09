// Shows a new secret once, with a copy button.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Icon } from '../shell/icons.tsx';
import { t } from '../text/text.ts';

export interface NewSecretProps {
  readonly label: string;
  readonly secret: string;
  readonly children?: ReactNode;
  readonly onDone: () => void;
}

export function NewSecret({ label, secret, children, onDone }: NewSecretProps): JSX.Element {
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
        {t('Copy it now; it won’t be shown again.')}
      </Alert>
      <SecretValue label={label} secret={secret} />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('Done, I saved it')}</Button>
      </Group>
    </Stack>
  );
}

export interface NewSecretDialogProps extends NewSecretProps {
  readonly title: string;
}

/** A dialog that is open while there is a secret. Clicking outside does not close it. */
export function NewSecretDialog({ title, ...props }: NewSecretDialogProps): JSX.Element {
  const { secret, onDone } = props;
  return (
    <Modal opened={secret !== ''} onClose={onDone} title={title} closeOnClickOutside={false} centered>
      {secret !== '' && <NewSecret {...props} />}
    </Modal>
  );
}

export function SecretValue({ label, secret }: { label: string; secret: string }): JSX.Element {
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
              {copied ? t('Copied') : t('Copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}
