// Which kinds of messages the person receives.
import { Anchor, Checkbox, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useChange, type Result } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { rich } from '../../text/rich.ts';
import { t, tData } from '../../text/text.ts';

type MailSettings = Result<'mailSettingsGet'>;

export function MailChoices({ settings }: { settings: MailSettings }): JSX.Element {
  const optional = settings.kinds.filter(({ required }) => !required);
  const fields = useFormFields<{ off: readonly string[] }>({ off: settings.off });
  const { values } = fields;
  const change = useChange('mailSettingsSet', {
    successMessage: t('Settings saved'),
    invalidates: ['mailSettingsGet'],
  });
  const kinds = optional.map(({ kind }) => kind);
  return (
    <Section title={t('Settings')}>
      <Form
        fields={fields}
        submitLabel={t('Save')}
        onSubmit={async () => {
          const off = kinds.filter((kind) => values.off.includes(kind));
          await change.mutateAsync({ off: off as never });
        }}
      >
        <Stack>
          <Text size="sm">
            {rich('Your language is under <link>Profile and preferences</link>.', {
              link: (text) => (
                <Anchor inherit underline="always" component={Link} to="/profile">
                  {text}
                </Anchor>
              ),
            })}
          </Text>
          <Checkbox.Group
            label={t('Receive messages about')}
            description={t('Invoices and security messages are always sent to the account owner.')}
            value={kinds.filter((kind) => !values.off.includes(kind))}
            onChange={(chosen) => fields.set({ off: kinds.filter((kind) => !chosen.includes(kind)) })}
          >
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mt={8} spacing="xs">
              {optional.map(({ kind, label }) => (
                <Checkbox key={kind} value={kind} label={tData(label)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </Stack>
      </Form>
    </Section>
  );
}
