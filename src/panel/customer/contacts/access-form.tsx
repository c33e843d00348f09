// The notifications of a contact, and whether and with which permissions the contact can sign in.
import { Alert, Checkbox, Input, SimpleGrid, Switch } from '@mantine/core';
import type { JSX } from 'react';
import type { Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { ServerPicker } from '../../parts/server-picker.tsx';
import {
  notificationFields,
  notifications,
  contactName,
  contactScopes,
  contactServers,
  type NotificationField,
} from './contact.ts';
import { t } from '../../text/text.ts';

export interface AccessFormProps {
  readonly contact: Contact;
  readonly close: () => void;
}

interface Values extends Record<NotificationField, boolean> {
  readonly subaccount: boolean;
  readonly permissions: readonly Scope[];
  readonly services: readonly string[];
}

export function AccessForm({ contact, close }: AccessFormProps): JSX.Element {
  const initial: Values = {
    subaccount: contact.subaccount === '1',
    permissions: contactScopes(contact),
    services: contactServers(contact),
    ...(Object.fromEntries(notificationFields.map((name) => [name, contact[name] === '1'])) as Record<
      NotificationField,
      boolean
    >),
  };
  const fields = useFormFields(initial);
  const { values } = fields;
  const isMailEnabled = useRead('mailSettingsGet', {}).data?.enabled === true;
  const change = useChange('contactSettings', {
    successMessage: t('{name} updated', { name: contactName(contact) }),
    invalidates: ['contactGet'],
  });
  const { permissions: _, services: __, ...withoutAccess } = values;
  // What is unchanged is not sent: it may be more than the user can grant, or limit to a server that no longer exists.
  const changes = Object.fromEntries(
    Object.entries(values.subaccount ? values : withoutAccess).filter(
      ([name, value]) => String(value) !== String(initial[name as keyof Values]),
    ),
  );
  const losesAccess = contact.subaccount === '1' && !values.subaccount;
  return (
    <Form
      fields={fields}
      submitLabel={t('Save')}
      close={close}
      disabledReason={Object.keys(changes).length === 0 ? t('No changes to save.') : undefined}
      onSubmit={() => change.mutateAsync({ id: contact.id, ...changes })}
    >
      {isMailEnabled && (
        <Input.Wrapper label={t('Notifications')} labelElement="div">
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} mt={6} spacing="xs">
            {notificationFields.map((name) => (
              <Checkbox
                key={name}
                label={notifications[name].label}
                description={notifications[name].description}
                checked={values[name]}
                onChange={(event) => fields.set({ [name]: event.currentTarget.checked } as Partial<Values>)}
              />
            ))}
          </SimpleGrid>
        </Input.Wrapper>
      )}
      <Switch
        label={t('Can sign in')}
        description={t("With {email} and this contact's password", { email: contact.email })}
        checked={values.subaccount}
        error={fields.errorOf('subaccount')}
        onChange={(event) => fields.set({ subaccount: event.currentTarget.checked })}
      />
      {values.subaccount && (
        <>
          <ServerPicker
            description={t('This person sees only these servers, in the panel and in the API.')}
            value={values.services}
            error={fields.errorOf('services')}
            onChange={(services) => fields.set({ services })}
          />
          <ScopePicker
            value={values.permissions}
            error={fields.errorOf('permissions')}
            onChange={(permissions) => fields.set({ permissions })}
          />
        </>
      )}
      {losesAccess && (
        <Alert color="yellow" variant="light">
          {t('{name} will be signed out everywhere.', { name: contactName(contact) })}
        </Alert>
      )}
    </Form>
  );
}
