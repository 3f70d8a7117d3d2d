/** Things to be disposed of together. */

export interface Disposable {
  dispose(): unknown;
}

export interface Store extends Disposable {
  readonly isDisposed: boolean;
  /** Takes the thing over. What arrives after the end, from a load that took too long, is disposed of at once. */
  add<T extends Disposable>(thing: T): T;
}

export function createStore(): Store {
  let things: Disposable[] | undefined = [];
  return {
    get isDisposed() {
      return things === undefined;
    },
    add(thing) {
      if (things) things.push(thing);
      else thing.dispose();
      return thing;
    },
    dispose() {
      const last = things?.reverse() ?? [];
      things = undefined;
      for (const thing of last) thing.dispose();
    },
  };
}
