// Main, core: chooses the sound of a notification by the rules that matched its events. Pure.
import { type Rule, SOUNDS, type Sound } from '../../../shared/settings/alert-rules.ts';

/** Combines two sounds: the name that is later in SOUNDS, and the shorter repeat. */
export function louder(one: Sound | null, other: Sound | null): Sound | null {
  if (one === null || other === null) return one ?? other;
  const repeats = [one, other].flatMap(({ repeat_seconds }) => repeat_seconds ?? []);
  return {
    name: SOUNDS.indexOf(one.name) >= SOUNDS.indexOf(other.name) ? one.name : other.name,
    repeat_seconds: repeats.length === 0 ? null : Math.min(...repeats),
  };
}

/** The combined sound of these rules; null: none. Disabled and removed rules have none. */
export function soundOf(ids: readonly string[], rules: { get(id: string): Rule | null }): Sound | null {
  return ids
    .map((id) => rules.get(id))
    .reduce<Sound | null>((best, rule) => louder(best, rule?.enabled === true ? rule.sound : null), null);
}
