// A Map with a limit, for counters and caches that callers can fill. When it is full, the entry that was set the longest
// ago makes room: adding many cannot erase all the others.
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    // Deleted first, because a Map keeps an existing key in its old place.
    this.delete(key);
    if (this.size >= this.#limit) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }
}
