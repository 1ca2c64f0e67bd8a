// What the page asks for: a twin by its name.
/** @type {any} */ (window).course.twins = {
  gate_walk: gateWalk,
  counters,
  reading: ownText,
  gap,
  layers,
  faceOf,
  agreement_unit: agreementUnit,
  coloured_text: colouredText,
  echo,
  iterated_map: iteratedMap,
  latch,
  set_by_hand: setByHand,
  rounded_count: roundedCount,
  cliff,
  readModel,
  wholeOrRounded,
};
