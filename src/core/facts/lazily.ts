/** Shared facts: built when first asked for, once a trajectory, whoever asks. */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";

export type Fact<T> = (trajectory: Trajectory, tools: MonitorTools) => T;

export function lazily<T>(build: Fact<T>): Fact<T> {
  const built = new WeakMap<Trajectory, { value: T }>();
  return (trajectory, tools) => {
    let fact = built.get(trajectory);
    if (!fact) {
      fact = { value: build(trajectory, tools) };
      built.set(trajectory, fact);
    }
    return fact.value;
  };
}
