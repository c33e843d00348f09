// Creates or edits an API key.
import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import type { Key } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { DnsLimitsInput } from '../../parts/dns-limits-input.tsx';
import { limitsInput, limitsValue, type DnsLimitsValue } from '../../parts/dns-limits.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { ServerPicker } from '../../parts/server-picker.tsx';
import type { SecretFormProps } from '../../parts/secret-dialog.tsx';
import { t } from '../../text/text.ts';
import { expiryTime, expiryOptions, type Expiry } from './expiry-options.ts';

interface Values {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly allow: readonly string[];
  readonly services: readonly string[];
  readonly dns: DnsLimitsValue;
  readonly expires: Expiry;
  readonly day: string;
  readonly contact: string | null;
}

export function KeyForm({ item, close, onCreated }: SecretFormProps<Key>): JSX.Element {
  const initial: Values = {
    name: item?.name ?? '',
    scopes: item === undefined ? [] : [...grantedScopes(item.scopes)],
    allow: item?.allow ?? [],
    services: item?.services ?? [],
    dns: limitsValue(item?.dns ?? []),
    expires: item === undefined ? 'never' : 'unchanged',
    day: '',
    contact: null,
  };
  const fields = useFormFields<Values>(initial);
  const { values } = fields;
  const options = { invalidates: ['keyGet', 'auditGet'] };
  const create = useChange('keyCreate', { ...options, successMessage: t('{name} created', { name: values.name }) });
  const change = useChange('keyUpdate', { ...options, successMessage: t('{name} updated', { name: values.name }) });

  const send = async (): Promise<void> => {
    const expires = expiryTime(values.expires, values.day, Date.now());
    const { name, allow } = values;
    const scopes = [...values.scopes];
    const services = [...values.services];
    const dns = limitsInput(values.dns);
    if (item === undefined) {
      const contact = values.contact === null ? {} : { contact: values.contact };
      const { key } = await create.mutateAsync({ name, scopes, allow, expires, services, dns, ...contact });
      onCreated(key);
      return;
    }
    // What is unchanged is not sent, so that a key with more scopes than the user's own, or for a server that no longer
    // exists, can still be renamed.
    await change.mutateAsync({
      id: item.id,
      name,
      allow,
      expires,
      dns,
      ...(haveSameItems(scopes, initial.scopes) ? {} : { scopes }),
      ...(haveSameItems(services, initial.services) ? {} : { services }),
    });
    close();
  };

  return (
    <Form
      fields={fields}
      submitLabel={item === undefined ? t('Create API key') : t('Save')}
      onCancel={close}
      onSubmit={send}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('Name')} required maxLength={64} data-autofocus {...fields.input('name')} />
        {item === undefined && <OwnerSelect value={values.contact} onChange={(contact) => fields.set({ contact })} />}
        <Select
          label={t('Expires')}
          data={expiryOptions(item)}
          value={values.expires}
          allowDeselect={false}
          error={values.expires === 'day' ? undefined : fields.errorOf('expires')}
          onChange={(expires) => fields.set({ expires: expires as Expiry })}
        />
        {values.expires === 'day' && (
          <TextInput
            type="date"
            label={t('Expiry date')}
            required
            value={values.day}
            error={fields.errorOf('expires')}
            onChange={(event) => fields.set({ day: event.currentTarget.value })}
          />
        )}
      </SimpleGrid>
      <TagsInput
        label={t('Allowed networks')}
        description={t(
          'IP addresses or networks such as 192.0.2.0/24; press Enter after each. Leave empty to allow all.',
        )}
        value={[...values.allow]}
        error={fields.errorOf('allow')}
        splitChars={[',', ' ', ';']}
        maxTags={50}
        onChange={(allow) => fields.set({ allow })}
      />
      <ServerPicker
        description={t('This key can access only these servers.')}
        value={values.services}
        error={fields.errorOf('services')}
        onChange={(services) => fields.set({ services })}
      />
      <ScopePicker
        value={values.scopes}
        error={fields.errorOf('scopes')}
        onChange={(scopes) => fields.set({ scopes })}
      />
      {values.scopes.some((scope) => scope.startsWith('dns:')) && (
        <DnsLimitsInput value={values.dns} error={fields.errorOf('dns')} onChange={(dns) => fields.set({ dns })} />
      )}
    </Form>
  );
}

function haveSameItems(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item) => right.includes(item));
}

interface OwnerSelectProps {
  readonly value: string | null;
  readonly onChange: (contact: string | null) => void;
}

/**
 * Selects the owner. A contact's key can never do more than the contact; contacts can create keys only for themselves.
 */
function OwnerSelect({ value, onChange }: OwnerSelectProps): JSX.Element | null {
  const scopeDenial = useScopeDenial();
  const self = useRead('sessionGet', {});
  const canListContacts = scopeDenial('account:read') === undefined && self.data?.contact === '';
  const contacts = useRead('contactGet', {}, { enabled: canListContacts });
  const people = (contacts.data ?? []).filter(({ subaccount }) => subaccount === '1');
  if (people.length === 0) return null;
  return (
    <Select
      label={t('Owner')}
      placeholder={t('Account')}
      data={people.map(({ id, firstname, lastname }) => ({ value: id, label: `${firstname} ${lastname}` }))}
      value={value}
      clearable
      clearButtonProps={{ 'aria-label': t('Account') }}
      onChange={onChange}
    />
  );
}
