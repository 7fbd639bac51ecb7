# `cmake --install`: the program, the library and the public headers, for find_package(polystepor).
#
# polystepor::polystepor is the command line and everything under it: a program with problems of its own links it
# and calls run_command_line, or train() alone. A static library takes from it only what is used.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(polystep PROPERTIES EXPORT_NAME engine)
set_target_properties(polystep_command_line PROPERTIES EXPORT_NAME polystepor)
install(TARGETS polystepor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS polystep polystep_command_line EXPORT polystepor ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/polystep ${PROJECT_BINARY_DIR}/generated/polystep
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/polystepor)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/polystepor)
install(EXPORT polystepor NAMESPACE polystepor:: FILE polystepor-targets.cmake DESTINATION ${package_directory})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/polystepor-config.cmake.in
                              ${PROJECT_BINARY_DIR}/polystepor-config.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/polystepor-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/polystepor-config.cmake ${PROJECT_BINARY_DIR}/polystepor-config-version.cmake
        DESTINATION ${package_directory})
