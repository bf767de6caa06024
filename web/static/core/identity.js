// Who this phone is at the table, and for whom it may act. `me` is the answer of `GET /api/v1/me`, null until it is known.

/**
 * The secret in the address from a QR code, or the four digits of an older one; "" if there is none. It is a fragment, so
 * that no server logs it, and is removed from the address, so that it is not shared or kept in the history. A home screen may
 * forget fragments: its address has the code after a question mark (see `web.page.register`).
 */
export function takeCode() {
  const found = /^[?#]join=([0-9a-f]{32}|\d{4})$/.exec(location.hash || location.search);
  if (found) history.replaceState(null, "", location.pathname + (location.hash ? location.search : ""));
  return found ? found[1] : "";
}

/** The player whose phone this is, or null. */
export const own = (me) => (me && me.joined && me.role === "player" ? me.player : null);

/** Whether this phone may change anything. */
export const acts = (me) => Boolean(me && me.joined && me.role !== "watching");

/** Whether another phone has the seat of `name`. */
export const seatTaken = (me, name) => Boolean(me && me.seats[name] && me.seats[name] !== me.phone);

/** Whether a robot plays `name`. */
export const isRobot = (me, name) => Boolean(me && me.robots && me.robots[name]);

/** Whether this phone's player is the only human at the table. */
export const alone = (me, { robots, players }) => Boolean(robots && own(me)) && players.every(({ name }) => name === own(me) || robots[name]);

/** Whether the phone on the seat of `name`, who is on turn, is away. */
export const isAway = (me, name) => seatTaken(me, name) && me.phones.some(({ phone, away }) => away && phone === me.seats[name]);

/** Whether this phone may act for `name`: it has the seat, or no robot and no phone that is there has it. */
export const speaksFor = (me, name) => acts(me) && (!seatTaken(me, name) || isAway(me, name)) && !isRobot(me, name);

/** The state as this phone knows it: with its own player's number of dice, where it is hidden from the others. */
export function withOwnDice(state, me) {
  const mine = own(me);
  return { ...state, players: state.players.map((each) => (each.name === mine && each.dice === null ? { ...each, dice: me.dice } : each)) };
}

/** `me` after the stream has sent new seats. */
export function withSeats(me, { seats, phones }) {
  if (!me || !me.joined) return me && { ...me, seats };
  const mine = phones.find(({ phone }) => phone === me.phone);
  return { ...me, seats, phones, ...(mine ? { role: mine.role, player: mine.player, host: mine.host } : {}) };
}
