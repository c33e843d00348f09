// Everything that is recorded about an entry, for those who need it: one click away from the sentence.
import { Anchor, Code, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX } from 'react';
import { t } from '../text/text.ts';

export interface RawDetailsProps {
  /** The sentence, as the title. */
  readonly title: string;
  readonly details: object;
}

export function RawDetails({ title, details }: RawDetailsProps): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Anchor component="button" type="button" size="sm" aria-label={t('Details: {title}', { title })} onClick={open}>
        {t('Details')}
      </Anchor>
      <Modal opened={isOpen} onClose={close} title={t('Details')} size="lg" centered>
        <Stack gap="sm">
          <Text size="sm">{title}</Text>
          <Code block className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
            {JSON.stringify(details, null, 2)}
          </Code>
        </Stack>
      </Modal>
    </>
  );
}
