// YAML for cloud-init and Ubuntu's installer, which read version 1.1 of the language.
import { stringify } from 'yaml';

/** Quotes what is text in YAML 1.2 but a number in 1.1, such as the MAC address 52:54:00:12:34:56. */
export function cloudYaml(value: object): string {
  return stringify(value, { version: '1.1', lineWidth: 0 });
}
