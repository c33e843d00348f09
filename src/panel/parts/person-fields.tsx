// Name, email and postal address fields, shared by contacts and customers.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { CountrySelect } from './country-select.tsx';
import type { FormFields } from './form-fields.ts';
import { t } from '../text/text.ts';

type Person = Pick<Contact, 'firstname' | 'lastname' | 'companyname' | 'email' | 'phonenumber'> &
  Pick<Contact, 'address1' | 'address2' | 'city' | 'state' | 'country'>;

/** Returns the initial values, except for the postal code, which the two APIs name differently. */
export function personValues(person: Partial<Person> = {}) {
  const { firstname = '', lastname = '', companyname: company = '', email = '', phonenumber: phone = '' } = person;
  const { address1 = '', address2 = '', city = '', state = '', country = '' } = person;
  return { firstname, lastname, company, email, phone, address1, address2, city, state, country };
}

export interface PersonFieldsProps<Postcode extends string> {
  readonly fields: Pick<FormFields<ReturnType<typeof personValues> & Record<Postcode, string>>, 'input'>;
  readonly postcode: Postcode;
  /** Why the email address cannot be changed; undefined if it can. */
  readonly emailDenial?: string | undefined;
}

export function PersonFields<Postcode extends string>({
  fields,
  postcode,
  emailDenial,
}: PersonFieldsProps<Postcode>): JSX.Element {
  const { input } = fields;
  return (
    <>
      <TextInput label={t('First name')} required data-autofocus {...input('firstname')} />
      <TextInput label={t('Last name')} required {...input('lastname')} />
      <TextInput
        label={t('Email')}
        type="email"
        required
        {...input('email')}
        {...(emailDenial !== undefined && { readOnly: true, variant: 'filled', description: emailDenial })}
      />
      <TextInput label={t('Phone')} type="tel" {...input('phone')} />
      <TextInput label={t('Company')} {...input('company')} />
      <TextInput label={t('Address')} required {...input('address1')} />
      <TextInput label={t('Address line 2')} {...input('address2')} />
      <TextInput label={t('Postal code')} required {...input(postcode)} />
      <TextInput label={t('City')} required {...input('city')} />
      <TextInput label={t('State or province')} required {...input('state')} />
      <CountrySelect {...input('country')} />
    </>
  );
}
