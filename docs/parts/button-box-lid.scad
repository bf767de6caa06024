include <button-outline.scad>

linear_extrude(wall) difference() { outline(); at_corners() circle(d = m3); }
