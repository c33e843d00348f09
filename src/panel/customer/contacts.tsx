// Contacts.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function ContactsPage(): JSX.Element {
  return <Page title="Contacts">{null}</Page>;
}
